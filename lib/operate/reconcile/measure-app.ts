import { isTold } from "../../handle/told-message.ts";
import type { ReceivedMeter } from "./received-counts.ts";
import type { ReconciledApp, RunTime } from "./reconcile-app.ts";

/** What a rehearsal finds out about one hour of an app. */
export interface MeasuredHour {
  /** The hour's beginning, unix seconds. */
  readonly hour: number;
  /** Messages that the platform lists and tells of by webhook. */
  readonly listed: number;
  /** Messages that a webhook told of. */
  readonly received: number;
  /** Messages that surely never came. */
  readonly neverReceived: number;
  /** More than `neverReceived` where the queue handed messages out again, so that some may have come uncounted. */
  readonly neverReceivedAtMost: number;
}

export interface MeasuredApp {
  readonly hours: readonly MeasuredHour[];
  /** False where time was up, or where events still wait that may belong to the hours left out. */
  readonly isComplete: boolean;
}

/** What a page of a list may take. */
const pageMs = 15_000;
/** A message is at the queue so soon after it was sent, retries included (docs/platform/webhooks.md#retries). */
const onTheWaySeconds = 60;
/**
 * What is counted this long after it was sent, as after a backlog, may take two hours until CloudWatch tells it.
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_PutMetricData.html
 */
const lateCountSeconds = 3 * 3_600;
const lateCountTakesSeconds = 2 * 3_600;
const hourSeconds = 3_600;

/**
 * Compares, hour by hour, how many messages the platform lists with how many came. Sends nothing. May be repeated.
 * An hour is left out while the queue holds an event that may belong to it: it has not been counted yet.
 * @throws what listing and the metrics throw
 */
export async function measureApp(
  app: ReconciledApp,
  hours: readonly number[],
  { shareEndsAt, deadlineMs }: RunTime,
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
    if (measured.length > 0 && now() >= shareEndsAt) break;
    const listed = await countListed(app, hour, deadlineMs, now);
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

/** Undefined when time was up. */
async function countListed(
  { listMessages }: ReconciledApp,
  hour: number,
  deadlineMs: number,
  now: () => number,
): Promise<number | undefined> {
  const span = { since: hour, until: hour + hourSeconds - 1 };
  let listed = 0;
  let after: string | undefined;
  do {
    if (now() + pageMs > deadlineMs) return undefined;
    const page = await listMessages(span, after, deadlineMs);
    listed += page.messages.filter(({ message }) => isTold(message)).length;
    after = page.next;
  } while (after !== undefined);
  return listed;
}
