import { CloudWatchLogsClient, paginateFilterLogEvents } from "@aws-sdk/client-cloudwatch-logs";
import { isNotFound } from "../../lib/aws/aws-call.ts";
import { notThere } from "../cli-error.ts";
import { type Stack, shortNameOf, type Target } from "../target/target.ts";
import { type LogLine, readLogLine } from "./log-line.ts";

export interface StackLog {
  readonly source: string;
  readonly group: string;
}

/** Lists functions' logs first. @param wanted default: all */
export function logsOf({ name, resources }: Stack, wanted?: string): readonly StackLog[] {
  return [...resources.values()]
    .filter(({ type }) => type === "AWS::Logs::LogGroup")
    .map(({ physicalId: group }) => ({ group, source: shortNameOf(name, group.split("/").at(-1) ?? group) }))
    .filter(({ source }) => wanted === undefined || source === wanted)
    .toSorted((one, other) => one.source.localeCompare(other.source));
}

interface LogQuery {
  /** Both are milliseconds since 1970, inclusive. */
  readonly startMs: number;
  readonly endMs?: number | undefined;
  readonly pattern: string;
  readonly signal: AbortSignal;
  readonly most?: number;
}

/** @throws CliError if the only log is a function's, and was deleted; of several, it is omitted */
export function openLogs({ client, region, settings }: Target, logs: readonly StackLog[]) {
  const logsClient = client(CloudWatchLogsClient, "CLOUDWATCH_LOGS");
  return async function* (query: LogQuery) {
    let count = 0;
    const onAbsent = (group: string) => {
      if (logs.length > 1 || !group.startsWith("/aws/lambda/")) return;
      const names = `--region ${region} --log-group-name ${group}`;
      const key = settings.kmsKey === undefined ? "" : ` --kms-key-id ${settings.kmsKey}`;
      const days = settings.retention?.logDays ?? 30;
      throw notThere(
        "NO_LOG_GROUP",
        `The log group ${group} was deleted, so nothing can be read there.`,
        `aws logs create-log-group ${names}${key} && aws logs put-retention-policy ${names} --retention-in-days ${days}`,
      );
    };
    for await (const line of mergeLogs(logs.map((log) => readLog(logsClient, log, query, onAbsent)))) {
      yield line;
      count += 1;
      if (count === query.most) return;
    }
  };
}

/** @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_FilterLogEvents.html */
async function* readLog(
  client: CloudWatchLogsClient,
  { source, group: logGroupName }: StackLog,
  { startMs, endMs, pattern, signal: abortSignal }: LogQuery,
  onAbsent: (group: string) => void,
): AsyncGenerator<LogLine> {
  const query = {
    logGroupName,
    startTime: Math.max(0, Math.floor(startMs)),
    endTime: endMs && Math.floor(endMs),
    filterPattern: pattern || undefined,
  };
  try {
    for await (const { events = [] } of paginateFilterLogEvents({ client }, query, { abortSignal })) {
      for (const { eventId = "", timestamp = 0, message = "" } of events)
        yield readLogLine({ eventId, atMs: timestamp, source, text: message });
    }
  } catch (error) {
    if (!isNotFound(error)) throw error;
    onAbsent(logGroupName);
  }
}

export async function* mergeLogs(logs: readonly AsyncGenerator<LogLine>[]): AsyncGenerator<LogLine> {
  const heads = await Promise.all(logs.map(async (log) => ({ log, next: await log.next() })));
  for (;;) {
    const open = heads.flatMap((head) => (head.next.done === true ? [] : [{ head, line: head.next.value }]));
    const [first, ...others] = open;
    if (first === undefined) return;
    const earliest = others.reduce((one, other) => (other.line.atMs < one.line.atMs ? other : one), first);
    yield earliest.line;
    earliest.head.next = await earliest.head.log.next();
  }
}

/** Covers lines that CloudWatch finds late. */
const overlapMs = 20_000;
/** Covers very late lines. */
const sweepEveryMs = 30_000;
const sweepMs = 300_000;

/**
 * CloudWatch finds a line seconds late and out of order: looks overlap, and ids deduplicate. Lines later than
 * five minutes are missed.
 */
export function createFollower(
  readFrom: (startMs: number) => Promise<readonly LogLine[]>,
  { startMs, now }: { readonly startMs: number; readonly now: () => number },
) {
  const given = new Map<string, number>();
  let previousMs: number | undefined;
  let sweptAt = now();
  return async () => {
    const lookedAt = now();
    const isSweep = lookedAt - sweptAt >= sweepEveryMs;
    const backMs = isSweep ? sweepMs : overlapMs;
    // A long read or a closed laptop may be between.
    const fromMs = previousMs === undefined ? startMs : Math.min(lookedAt - backMs, previousMs - overlapMs);
    const lines = await readFrom(Math.max(startMs, fromMs));
    previousMs = lookedAt;
    if (isSweep) sweptAt = lookedAt;
    const fresh = lines.filter(({ source, eventId }) => !given.has(`${source} ${eventId}`));
    for (const { source, eventId, atMs } of fresh) given.set(`${source} ${eventId}`, atMs);
    for (const [id, atMs] of given) if (atMs < lookedAt - 2 * sweepMs) given.delete(id);
    return fresh.toSorted((one, other) => one.atMs - other.atMs);
  };
}
