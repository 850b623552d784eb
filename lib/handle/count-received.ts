import type { SQSRecord } from "aws-lambda";
import type { Count } from "../base/count-metric.ts";
import { isRecord, parseJson, readPath, readText } from "../base/json.ts";
import { reconcileWebhook } from "../events/occurrence.ts";
import { bytesOf, readQueuedEvent } from "../queue/read-queued-event.ts";

/**
 * Edits, deletions, members and calls have their own triggers. Whether `message_sent` also reports their
 * messages is not known (docs/internals/platform/events.md#what-fires-message_sent).
 */
const reportedCategories: ReadonlySet<string> = new Set(["message", "custom", "interactive"]);

/**
 * Returns whether `message_sent` reports the message: a blocked message has its own event, and an undecided
 * one may still get it (docs/internals/platform/moderation.md#status-of-a-message).
 */
export function isReported(message: unknown): message is Record<string, unknown> {
  return mayBeReported(message) && readText(message, moderationStatus) !== "pending";
}

/** Also accepts undecided messages: they are usually approved by now. */
function mayBeReported(message: unknown): message is Record<string, unknown> {
  return (
    isRecord(message) &&
    reportedCategories.has(readText(message, "category") ?? "") &&
    readText(message, moderationStatus) !== "disapproved"
  );
}

const moderationStatus = "data.moderation.status";

/** Returns unix seconds. */
export function sentAtOf(message: unknown): number | undefined {
  const sentAt = Number(readText(message, "sentAt"));
  return Number.isSafeInteger(sentAt) && sentAt > 0 ? sentAt : undefined;
}

/** Counted at the minute of sending, with `receivedDimensions`. */
export const receivedMetric = "MessageReceived";
/** Messages delivered again, whether counted before or not. */
export const receivedAgainMetric = "MessageReceivedAgain";

/** @param deployment the prefix of its secrets' names: separates two for one app in one account */
export function receivedDimensions(deployment: string, appId: string): Readonly<Record<string, string>> {
  return { deployment, appId };
}

/** CloudWatch refuses older times. */
const maxAgeMs = 13 * 24 * 60 * 60_000;
const aheadMs = 60 * 60_000;

const minuteSeconds = 60;

/**
 * Counts messages that webhooks reported, without repeated receives, replays and reconcile's. Writes one line
 * per app and minute of sending. Never throws. Call it before handling: a crash then loses no count.
 */
export function countReceived(
  records: readonly SQSRecord[],
  deployment: string,
  count: Count,
  nowMs: number,
): void {
  const sums = new Map<string, number>();
  for (const record of records) {
    const reported = readReported(record);
    if (reported === undefined || reported.sentAtMs < nowMs - maxAgeMs || reported.sentAtMs > nowMs + aheadMs)
      continue;
    const minute = Math.floor(reported.sentAtMs / 1000 / minuteSeconds) * minuteSeconds;
    const isFirst = record.attributes.ApproximateReceiveCount === "1";
    const name = [isFirst ? receivedMetric : receivedAgainMetric, minute, reported.appId].join(" ");
    sums.set(name, (sums.get(name) ?? 0) + 1);
  }
  for (const [name, value] of sums) {
    const [metric = "", minute, ...appId] = name.split(" ");
    count(
      metric,
      receivedDimensions(deployment, appId.join(" ")),
      {},
      { value, atMs: Number(minute) * 1000 },
    );
  }
}

function readReported({
  body,
  messageAttributes,
}: SQSRecord): { appId: string; sentAtMs: number } | undefined {
  if (!body.includes('"trigger":"message_sent"') || messageAttributes.ReplayedAt !== undefined)
    return undefined;
  try {
    const queued = readQueuedEvent(parseJson(body));
    if (queued.trigger !== "message_sent" || queued.family !== "webhook") return undefined;
    const delivered = parseJson(bytesOf(queued).toString("utf8"));
    const message = readPath(delivered, "data.message");
    const sentAt = sentAtOf(message);
    if (
      sentAt === undefined ||
      !mayBeReported(message) ||
      readText(delivered, "webhook") === reconcileWebhook
    ) {
      return undefined;
    }
    return { appId: queued.appId, sentAtMs: sentAt * 1000 };
  } catch {
    return undefined;
  }
}
