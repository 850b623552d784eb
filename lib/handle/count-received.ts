import type { SQSRecord } from "aws-lambda";
import type { Count } from "../base/count-metric.ts";
import { isRecord, parseJson } from "../base/json.ts";
import { readPath, readText } from "../events/read-path.ts";
import { bytesOf, readQueuedEvent } from "../queue/read-queued-event.ts";
import { mayBeTold, reconcileWebhook, sentAtOf } from "./told-message.ts";

/** Messages that a webhook told of, by the minute in which they were sent. Dimensions: as `receivedDimensions`. */
export const receivedMetric = "MessageReceived";
/**
 * Messages that the queue handed out again. Whether they were counted before is not known: a batch may be handed out
 * and never begin. Dimensions: as `receivedDimensions`.
 */
export const receivedAgainMetric = "MessageReceivedAgain";

/**
 * Gives the dimensions of both: two deployments that serve one app in one account must not make up for each other.
 * @param deployment what its secrets' names begin with
 */
export function receivedDimensions(deployment: string, appId: string): Readonly<Record<string, string>> {
  return { deployment, appId };
}

/** CloudWatch takes no moment further away; what is sent further away than that is not compared either. */
const oldestMs = 13 * 24 * 60 * 60_000;
const aheadMs = 60 * 60_000;

const minuteSeconds = 60;

/**
 * Counts the messages that webhooks told of, once per message: the queue drops repeated deliveries, and what it hands out
 * again, what an operator replays and what reconciling hands over is left out. One line of log per app and minute of
 * sending, so mostly one for a batch. Never throws. Call it before anything is handled: a process that dies has counted.
 */
export function countReceived(
  records: readonly SQSRecord[],
  deployment: string,
  count: Count,
  nowMs: number,
): void {
  const sums = new Map<string, number>();
  for (const record of records) {
    const told = readTold(record);
    if (told === undefined || told.sentAtMs < nowMs - oldestMs || told.sentAtMs > nowMs + aheadMs) continue;
    const minute = Math.floor(told.sentAtMs / 1000 / minuteSeconds) * minuteSeconds;
    const isFirst = record.attributes.ApproximateReceiveCount === "1";
    const name = [isFirst ? receivedMetric : receivedAgainMetric, minute, told.appId].join(" ");
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

function readTold({ body, messageAttributes }: SQSRecord): { appId: string; sentAtMs: number } | undefined {
  // Most of what is no message is known by its beginning, and need not be read a second time.
  if (!body.includes('"trigger":"message_sent"') || messageAttributes.ReplayedAt !== undefined)
    return undefined;
  try {
    const queued = readQueuedEvent(parseJson(body));
    if (queued.trigger !== "message_sent" || queued.family !== "webhook") return undefined;
    const delivered = parseJson(bytesOf(queued).toString("utf8"));
    const message = isRecord(delivered) ? readPath(delivered.data, "message") : undefined;
    const sentAt = sentAtOf(message);
    if (sentAt === undefined || !mayBeTold(message) || readText(delivered, "webhook") === reconcileWebhook) {
      return undefined;
    }
    return { appId: queued.appId, sentAtMs: sentAt * 1000 };
  } catch {
    // What is no event of ours counts as none; the attempt at it says so.
    return undefined;
  }
}
