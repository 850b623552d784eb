import type { IncomingMessage, ServerResponse } from "node:http";
import * as z from "zod/mini";
import { startLocalServer } from "./local-server.ts";

/** An event that was put onto a bus. */
export interface PutEvent {
  readonly bus: string;
  readonly source: string;
  readonly detailType: string;
  /** Parsed from its JSON text. */
  readonly detail: unknown;
}

export interface EventBusEndpoint {
  readonly url: string;
  /** Everything that was put, oldest first. */
  readonly events: readonly PutEvent[];
  /** Makes the next events be refused one by one, as EventBridge does in answers of status 200. */
  refuseNext(count: number): void;
  close(): Promise<void>;
}

/**
 * Starts EventBridge's `PutEvents` on a free port of 127.0.0.1: it takes events and shows them. Rules, targets and
 * signatures have no meaning here.
 * @see https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutEvents.html
 */
export async function startEventBusEndpoint(): Promise<EventBusEndpoint> {
  const events: PutEvent[] = [];
  let refusals = 0;

  const put = ({ EventBusName, Source, DetailType, Detail }: z.infer<typeof entrySchema>) => {
    if (refusals > 0) {
      refusals -= 1;
      return { ErrorCode: "InternalFailure", ErrorMessage: "The event was refused." };
    }
    const detail: unknown = JSON.parse(Detail);
    events.push({ bus: EventBusName, source: Source, detailType: DetailType, detail });
    return { EventId: String(events.length) };
  };

  const server = await startLocalServer(async (request, response) => {
    const body = await readBody(request);
    if (request.headers["x-amz-target"] !== "AWSEvents.PutEvents") {
      return answer(response, 400, { __type: "UnknownOperationException" });
    }
    const input = inputSchema.safeParse(JSON.parse(body));
    if (!input.success) return answer(response, 400, { __type: "ValidationException" });
    const Entries = input.data.Entries.map(put);
    answer(response, 200, {
      FailedEntryCount: Entries.filter((entry) => "ErrorCode" in entry).length,
      Entries,
    });
  });
  return {
    url: server.url,
    events,
    refuseNext: (count) => {
      refusals = count;
    },
    close: () => server.close(),
  };
}

const jsonObject = z.string().check(z.refine(isJsonObject));
const entrySchema = z.object({
  EventBusName: z.string(),
  Source: z.string().check(z.minLength(1)),
  DetailType: z.string().check(z.minLength(1), z.maxLength(128)),
  Detail: jsonObject,
  Time: z.optional(z.number()),
});
const inputSchema = z.object({ Entries: z.array(entrySchema).check(z.minLength(1), z.maxLength(10)) });

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/x-amz-json-1.1" }).end(JSON.stringify(body));
}
