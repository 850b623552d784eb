import { type CloudWatchLogsClient, FilterLogEventsCommand } from "@aws-sdk/client-cloudwatch-logs";
import { isNotFound } from "../../lib/aws/is-not-found.ts";
import type { Stack } from "../target/stack.ts";
import { type LogLine, readLogLine } from "./log-line.ts";

export interface StackLog {
  /** Function key, or last part of another log's name. */
  readonly source: string;
  readonly group: string;
}

/** Functions' logs first. */
export function logsOf({ name, resources }: Pick<Stack, "name" | "resources">): readonly StackLog[] {
  return [...resources.values()]
    .filter(({ type }) => type === "AWS::Logs::LogGroup")
    .map(({ physicalId: group }) => {
      const last = group.slice(group.lastIndexOf("/") + 1);
      return { group, source: last.startsWith(`${name}-`) ? last.slice(name.length + 1) : last };
    })
    .toSorted((one, other) => one.source.localeCompare(other.source));
}

export interface LogQuery {
  /** Milliseconds since 1970, both included. */
  readonly startMs: number;
  readonly endMs?: number | undefined;
  readonly pattern: string;
  readonly signal: AbortSignal;
}

/**
 * In order of time. An empty page need not be the last.
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_FilterLogEvents.html
 * @throws the SDK's errors; a log group that does not exist yet has no lines
 */
export async function* readLog(
  client: CloudWatchLogsClient,
  { source, group }: StackLog,
  { startMs, endMs, pattern, signal }: LogQuery,
): AsyncGenerator<LogLine> {
  let nextToken: string | undefined;
  do {
    const page = await client
      .send(
        new FilterLogEventsCommand({
          logGroupName: group,
          startTime: Math.max(0, Math.floor(startMs)),
          ...(endMs !== undefined && { endTime: Math.floor(endMs) }),
          ...(pattern !== "" && { filterPattern: pattern }),
          ...(nextToken !== undefined && { nextToken }),
        }),
        { abortSignal: signal },
      )
      .catch((error: unknown) => {
        if (isNotFound(error)) return undefined;
        throw error;
      });
    for (const { eventId = "", timestamp = 0, message = "" } of page?.events ?? []) {
      yield readLogLine({ eventId, atMs: timestamp, source, text: message });
    }
    nextToken = page?.nextToken;
  } while (nextToken !== undefined);
}
