import { isReported } from "../../handle/reported-message.ts";
import type { ReceivedMeter } from "./received-counts.ts";
import type { ReconciledApp, RunTime } from "./reconcile-app.ts";
import type { MeasuredApp, MeasuredHour } from "./reconcile-result.ts";

const pageMs = 15_000;
/** From sending to the queue, including retries (docs/internals/platform/webhooks.md#retries). */
const onTheWaySeconds = 60;
/**
 * CloudWatch may take two hours to return a value counted this long after sending, as after a backlog.
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_PutMetricData.html
 */
const lateCountSeconds = 3 * 3_600;
const lateCountTakesSeconds = 2 * 3_600;
const hourSeconds = 3_600;

/**
 * Sends nothing. May be repeated. Omits an hour while the queue has an uncounted event that may belong to it.
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

/** Undefined if time was up. */
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
    listed += page.messages.filter(({ message }) => isReported(message)).length;
    after = page.next;
  } while (after !== undefined);
  return listed;
}
