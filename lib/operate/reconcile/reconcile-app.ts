import { AwsCallError } from "../../aws/aws-call.ts";
import { OwnError } from "../../base/errors.ts";
import { isReported } from "../../handle/count-received.ts";
import { type QueueMessage, toQueueMessage } from "../../queue/enqueue.ts";
import { bytesPerRequest, type EnqueueMany, messagesPerRequest } from "../../queue/enqueue-many.ts";
import { MessageTooLargeError } from "../../queue/queued-event.ts";
import { type ListedMessage, type ListMessages, type ReceivedMeter, toDelivery } from "./list-messages.ts";
import type { Course, ReconcileMemory, RunKind } from "./plan-run.ts";
import type { HandedOver, MeasuredApp, MeasuredHour } from "./reconcile-result.ts";

export interface ReconciledApp {
  readonly appId: string;
  readonly region: string;
  readonly listMessages: ListMessages;
}

export interface ReconcileServices extends HandOverServices {
  readonly memory: ReconcileMemory;
}

/** Milliseconds since 1970. */
export interface RunTime {
  /** Only the first page begins after it, which leaves time for the other apps. */
  readonly shareEndsAt: number;
  readonly deadlineMs: number;
}

/** For a page's request, ten messages per request to the queue, and recording. */
const pageMs = 20_000;

/**
 * Hands over messages under the webhook's keys. Records its progress after each page. Repeatable.
 * @throws what listing, the queue and the table throw
 */
export async function reconcileApp(
  app: ReconciledApp,
  kind: RunKind,
  course: Course,
  time: RunTime,
  services: ReconcileServices,
): Promise<HandedOver> {
  const { memory, now } = services;
  const { shareEndsAt, deadlineMs } = time;
  const { appId } = app;
  const { since, until } = course;
  const sums = { listed: 0, handedOver: 0, passedOver: 0, refused: 0 };
  let { after } = course;
  await memory.save(appId, kind, course);
  for (let isFirst = true; ; isFirst = false) {
    const isTimeUp = now() + pageMs > deadlineMs || (now() >= shareEndsAt && !isFirst);
    if (isTimeUp) return { since, until, ...sums, isComplete: false };
    const page = await app.listMessages(course, after, pageEndsAt(time, now()));
    const { messages, passedOver, refused } = write(app, page.messages, now());
    const left = await handOver(messages, deadlineMs, services);
    sums.listed += page.messages.length;
    sums.handedOver += messages.length - left.refused;
    sums.passedOver += passedOver;
    sums.refused += refused + left.refused;
    if (page.next === undefined) {
      await memory.finish(appId, kind, until);
      return { since, until, ...sums, isComplete: true };
    }
    after = page.next;
    await memory.save(appId, kind, { since, until, after });
  }
}

function pageEndsAt({ shareEndsAt }: RunTime, nowMs: number) {
  return Math.max(shareEndsAt, nowMs + pageMs);
}

function write(app: ReconciledApp, listed: readonly ListedMessage[], receivedAt: number) {
  let passedOver = 0;
  let refused = 0;
  const messages = [];
  for (const { message } of listed) {
    const made = toDelivery(app, message, receivedAt);
    if (made === undefined) passedOver += 1;
    else {
      try {
        messages.push(toQueueMessage(made.delivery, made.identity));
      } catch (error) {
        if (!(error instanceof MessageTooLargeError)) throw error;
        refused += 1;
      }
    }
  }
  return { messages, passedOver, refused };
}

/** Time from sending to the queue, including retries (docs/internals/platform/webhooks.md#retries). */
const onTheWaySeconds = 60;
/**
 * CloudWatch may take two hours to return a value counted this late, as after a backlog.
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_PutMetricData.html
 */
const lateCountSeconds = 3 * 3_600;
const lateCountTakesSeconds = 2 * 3_600;
const hourSeconds = 3_600;

/**
 * Omits an hour while the queue has an uncounted event that may belong to it.
 * @throws what listing and the metrics throw
 */
export async function measureApp(
  app: ReconciledApp,
  hours: readonly number[],
  time: RunTime,
  { meter, now }: { readonly meter: ReceivedMeter; readonly now: () => number },
): Promise<MeasuredApp> {
  if (hours.length === 0) return { hours: [], isComplete: true };
  const nowSeconds = Math.floor(now() / 1000);
  const isLate = (hour: number) => hour < nowSeconds - lateCountSeconds;
  const waitingSince = await meter.waitingSince(nowSeconds);
  const waitedSince = hours.some(isLate)
    ? await meter.waitingSince(nowSeconds - lateCountTakesSeconds)
    : waitingSince;
  const counted = hours.filter(
    (hour) => hour + hourSeconds + onTheWaySeconds <= (isLate(hour) ? waitedSince : waitingSince),
  );
  const counts = await meter.countsOf(app.appId, counted);

  const measured: MeasuredHour[] = [];
  for (const hour of counted) {
    if (measured.length > 0 && now() >= time.shareEndsAt) break;
    const listed = await countListed(app, hour, time, now);
    if (listed === undefined) break;
    const { received, again } = counts.get(hour) ?? { received: 0, again: 0 };
    measured.push({
      hour,
      listed,
      received,
      neverReceived: Math.max(0, listed - received - again),
      neverReceivedAtMost: Math.max(0, listed - received),
    });
  }
  return { hours: measured, isComplete: measured.length === hours.length };
}

/** @returns undefined if time was up */
async function countListed({ listMessages }: ReconciledApp, hour: number, time: RunTime, now: () => number) {
  const span = { since: hour, until: hour + hourSeconds - 1 };
  let listed = 0;
  let after: string | undefined;
  do {
    if (now() + pageMs > time.deadlineMs) return undefined;
    const page = await listMessages(span, after, pageEndsAt(time, now()));
    listed += page.messages.filter(({ message }) => isReported(message)).length;
    after = page.next;
  } while (after !== undefined);
  return listed;
}

interface HandOverServices {
  readonly enqueueMany: EnqueueMany;
  readonly sleep: (ms: number) => Promise<void>;
  readonly now: () => number;
}

const tries = 5;
const pauseMs = 1_000;

export class HandOverBusyError extends OwnError {
  override readonly name = "HandOverBusyError";

  constructor(left: number) {
    super(`The events queue did not take ${left} messages yet. They are handed over by the next run.`);
  }
}

/**
 * One message per lane and request keeps the order. Returns how many the queue will never accept. Repeatable.
 * @throws HandOverBusyError, AwsCallError if not all were accepted
 */
export async function handOver(
  messages: readonly QueueMessage[],
  deadlineMs: number,
  { enqueueMany, sleep, now }: HandOverServices,
): Promise<{ readonly refused: number }> {
  const lanes = [...Map.groupBy(messages, (message) => message.MessageGroupId).values()];
  let refused = 0;
  let failures = 0;
  while (lanes.length > 0) {
    if (now() >= deadlineMs) throw new HandOverBusyError(lanes.flat().length);
    const share = takeShare(lanes);
    const heads = share.flatMap((lane) => lane.slice(0, 1));
    const outcomes = await enqueueMany(heads, deadlineMs).catch((error: unknown) => {
      if (!(error instanceof AwsCallError) || failures + 1 >= tries) throw error;
      return [];
    });
    const settled = share.filter((_, index) => (outcomes[index] ?? "later") !== "later");
    refused += outcomes.filter((outcome) => outcome === "never").length;
    for (const lane of settled) lane.shift();
    // A lane with many messages must not delay the others.
    lanes.splice(0, share.length);
    lanes.push(...share.filter((lane) => lane.length > 0));
    failures = settled.length > 0 ? 0 : failures + 1;
    if (failures >= tries) throw new HandOverBusyError(lanes.flat().length);
    if (failures > 0) await sleep(pauseMs);
  }
  return { refused };
}

function takeShare(lanes: readonly QueueMessage[][]) {
  const share: QueueMessage[][] = [];
  let bytes = 0;
  for (const lane of lanes.slice(0, messagesPerRequest)) {
    bytes += Buffer.byteLength(lane[0]?.MessageBody ?? "");
    if (share.length > 0 && bytes > bytesPerRequest) break;
    share.push(lane);
  }
  return share;
}
