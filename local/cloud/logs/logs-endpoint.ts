import type { ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import * as z from "zod/mini";
import { startLocalServer } from "../local-server.ts";
import { PatternError, readFilterPattern } from "./filter-pattern.ts";
import type { LogStore, Position } from "./log-store.ts";

export interface LogsEndpoint {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * How many lines a page looks at: few, so that pages come that are empty and not the last, as CloudWatch's may.
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_FilterLogEvents.html
 */
const linesPerPage = 200;

/**
 * Starts CloudWatch Logs' `FilterLogEvents` and `DescribeLogGroups` (AWS JSON 1.1 protocol) on a free port of 127.0.0.1.
 * Lines can be found at once, not after some seconds; streams and rights have no meaning here.
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_FilterLogEvents.html
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_DescribeLogGroups.html
 */
export async function startLogsEndpoint(store: LogStore): Promise<LogsEndpoint> {
  const operations: Readonly<Record<string, (input: unknown) => object>> = {
    "Logs_20140328.FilterLogEvents": (input) => filterLogEvents(store, input),
    "Logs_20140328.DescribeLogGroups": (input) => describeLogGroups(store, input),
  };
  const server = await startLocalServer(async (request, response) => {
    const body = await text(request);
    try {
      const operation = operations[String(request.headers["x-amz-target"])];
      if (operation === undefined)
        throw new LogsError("UnknownOperationException", "No such operation here.");
      answer(response, 200, operation(parse(body)));
    } catch (error) {
      const { code, message } = error instanceof LogsError ? error : new LogsError("InternalFailure", "");
      answer(response, code === "InternalFailure" ? 500 : 400, { __type: code, message });
    }
  });
  return { url: server.url, close: () => server.close() };
}

class LogsError extends Error {
  override readonly name = "LogsError";
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

const filterSchema = z.object({
  logGroupName: z.string().check(z.minLength(1)),
  startTime: z.optional(z.int()),
  endTime: z.optional(z.int()),
  filterPattern: z.optional(z.string().check(z.maxLength(1_024))),
  nextToken: z.optional(z.string()),
  limit: z.optional(z.int().check(z.minimum(1), z.maximum(10_000))),
});

function filterLogEvents(store: LogStore, input: unknown): object {
  const { logGroupName, startTime, endTime, filterPattern, nextToken, limit } = parseInput(
    filterSchema,
    input,
  );
  const page = store.read(logGroupName, {
    startMs: startTime ?? 0,
    endMs: endTime ?? Number.POSITIVE_INFINITY,
    isMeant: readPattern(filterPattern ?? ""),
    after: nextToken === undefined ? undefined : readToken(nextToken),
    limit: Math.min(limit ?? linesPerPage, linesPerPage),
  });
  if (page === undefined)
    throw new LogsError("ResourceNotFoundException", "The specified log group does not exist.");
  return {
    events: page.lines,
    searchedLogStreams: [],
    ...(page.next && { nextToken: Buffer.from(JSON.stringify(page.next)).toString("base64url") }),
  };
}

const groupsSchema = z.object({ logGroupNamePrefix: z.optional(z.string()) });

function describeLogGroups(store: LogStore, input: unknown): object {
  const { logGroupNamePrefix = "" } = parseInput(groupsSchema, input);
  const names = store.groups.filter((name) => name.startsWith(logGroupNamePrefix));
  return { logGroups: names.map((logGroupName) => ({ logGroupName })) };
}

function parseInput<Schema extends z.ZodMiniType>(schema: Schema, input: unknown): z.infer<Schema> {
  const parsed = z.safeParse(schema, input);
  if (parsed.success) return parsed.data;
  throw new LogsError(
    "InvalidParameterException",
    parsed.error.issues.map(({ path }) => path.join(".")).join(),
  );
}

function readPattern(pattern: string) {
  try {
    return readFilterPattern(pattern);
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    throw new LogsError("InvalidParameterException", error.message);
  }
}

const positionSchema = z.tuple([z.number(), z.number(), z.number()]);

function readToken(token: string): Position {
  const parsed = z.safeParse(positionSchema, parse(Buffer.from(token, "base64url").toString()));
  if (parsed.success) return parsed.data;
  throw new LogsError("InvalidParameterException", "The specified nextToken is invalid.");
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/x-amz-json-1.1" }).end(JSON.stringify(body));
}
