import * as z from "zod/mini";
import { parseJson } from "../../../lib/base/json.ts";
import { AwsError, unknownOperation } from "../aws-error.ts";
import { startAwsJsonServer } from "../aws-json-server.ts";
import { parseInput } from "../aws-operation.ts";
import { Throttle } from "../gateway/throttle.ts";
import type { LocalServer } from "../local-server.ts";
import { PatternError, readFilterPattern } from "./filter-pattern.ts";
import type { LogStore } from "./log-store.ts";

/**
 * Small, so that empty pages occur before the last one.
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_FilterLogEvents.html
 */
const linesPerPage = 200;

const invalidCode = "InvalidParameterException";

/** Reads a second. @see https://repost.aws/knowledge-center/cloudwatch-logs-throttling */
const quota = { DefaultRouteSettings: { ThrottlingRateLimit: 5 } };

/**
 * Unlike on AWS, new lines are found immediately.
 * @param now default: no quota
 */
export function startLogsEndpoint(store: LogStore, now?: () => number): Promise<LocalServer> {
  const throttle = now && new Throttle(now);
  return startAwsJsonServer({
    target: "Logs_20140328",
    version: "1.1",
    answer({ operation, input }) {
      if (operation === "FilterLogEvents") {
        if (throttle?.admits(operation, quota) === false)
          throw new AwsError("ThrottlingException", "Rate exceeded");
        return filterLogEvents(store, input);
      }
      if (operation === "CreateLogGroup" || operation === "CreateLogStream")
        return createIn(store, operation, input);
      if (operation === "PutRetentionPolicy") return {};
      if (operation === "PutLogEvents") return putLogEvents(store, input);
      throw unknownOperation(operation);
    },
  });
}

const filterSchema = z.object({
  logGroupName: z.string().check(z.minLength(1)),
  startTime: z._default(z.int(), 0),
  endTime: z._default(z.number(), Infinity),
  filterPattern: z._default(z.string().check(z.maxLength(1_024)), ""),
  nextToken: z.optional(z.string()),
  limit: z._default(z.int().check(z.minimum(1), z.maximum(10_000)), linesPerPage),
});

const positionSchema = z.tuple([z.number(), z.number(), z.number()]);

function filterLogEvents(store: LogStore, input: unknown): object {
  const { nextToken, ...query } = parseInput(invalidCode, filterSchema, input);
  const after = nextToken === undefined ? undefined : Buffer.from(nextToken, "base64url").toString();
  const page = store.read(query.logGroupName, {
    startMs: query.startTime,
    endMs: query.endTime,
    matches: readPattern(query.filterPattern),
    after: after === undefined ? undefined : parseInput(invalidCode, positionSchema, parseJson(after)),
    limit: Math.min(query.limit, linesPerPage),
  });
  if (page === undefined) throw notFound();
  return {
    events: page.lines,
    searchedLogStreams: [],
    ...(page.next && { nextToken: Buffer.from(JSON.stringify(page.next)).toString("base64url") }),
  };
}

const notFound = () => new AwsError("ResourceNotFoundException", "The specified log group does not exist.");

const nameSchema = z.object({ logGroupName: z.string().check(z.minLength(1)) });

function createIn(store: LogStore, operation: string, input: unknown): object {
  const { logGroupName } = parseInput(invalidCode, nameSchema, input);
  if (operation === "CreateLogGroup") store.createGroup(logGroupName);
  else if (!store.has(logGroupName)) throw notFound();
  return {};
}

const putSchema = z.object({
  logGroupName: z.string(),
  logStreamName: z.string(),
  logEvents: z.array(z.object({ timestamp: z.int(), message: z.string() })).check(z.minLength(1)),
});

function putLogEvents(store: LogStore, input: unknown): object {
  const { logGroupName, logStreamName: stream, logEvents } = parseInput(invalidCode, putSchema, input);
  if (!store.has(logGroupName)) throw notFound();
  for (const { timestamp: atMs, message } of logEvents) store.add(logGroupName, { stream, message, atMs });
  return {};
}

function readPattern(pattern: string) {
  try {
    return readFilterPattern(pattern);
  } catch (error) {
    if (error instanceof PatternError) throw new AwsError(invalidCode, error.message);
    throw error;
  }
}
