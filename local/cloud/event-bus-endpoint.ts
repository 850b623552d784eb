import * as z from "zod/mini";
import { isRecord, parseJson } from "../../lib/base/json.ts";
import { unknownOperation } from "./aws-error.ts";
import { startAwsJsonServer } from "./aws-json-server.ts";
import { parseInput } from "./aws-operation.ts";

export interface PutEvent {
  readonly bus: string;
  readonly source: string;
  readonly detailType: string;
  readonly detail: unknown;
}

export type EventBusEndpoint = Awaited<ReturnType<typeof startEventBusEndpoint>>;

const keptEvents = 10_000;

const inputSchema = z.object({
  Entries: z
    .array(
      z.object({
        EventBusName: z.string(),
        Source: z.string().check(z.minLength(1)),
        DetailType: z.string().check(z.minLength(1), z.maxLength(128)),
        Detail: z.string().check(z.refine((text) => isRecord(parseJson(text)))),
      }),
    )
    .check(z.minLength(1), z.maxLength(10)),
});

/**
 * Only stores events: rules and targets have no effect.
 * @see https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutEvents.html
 */
export async function startEventBusEndpoint() {
  const events: PutEvent[] = [];
  let count = 0;
  let refusals = 0;
  const { url, close } = await startAwsJsonServer({
    target: "AWSEvents",
    version: "1.1",
    answer({ operation, input }) {
      if (operation !== "PutEvents") {
        throw unknownOperation(operation);
      }
      const { Entries } = parseInput("ValidationException", inputSchema, input);
      let FailedEntryCount = 0;
      const results = Entries.map(({ EventBusName: bus, Source: source, DetailType: detailType, Detail }) => {
        if (refusals > 0) {
          refusals -= 1;
          FailedEntryCount += 1;
          return { ErrorCode: "InternalFailure", ErrorMessage: "The event was refused." };
        }
        events.push({ bus, source, detailType, detail: JSON.parse(Detail) });
        if (events.length > keptEvents) events.shift();
        count += 1;
        return { EventId: String(count) };
      });
      return { FailedEntryCount, Entries: results };
    },
  });
  return {
    url,
    events,
    refuseNext(count: number) {
      refusals = count;
    },
    close,
  };
}
