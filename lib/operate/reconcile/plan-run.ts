import type { Span } from "./list-messages.ts";
import type { Course, RememberedRun } from "./reconcile-memory.ts";
import { settlingSeconds } from "./reconcile-request.ts";

/** For messages listed late, and a platform clock that is up to this much behind. */
const overlapSeconds = 300;
/** Without an earlier run. */
const firstLookSeconds = 3_600;
/** The rest needs a manual run. */
const longestLookSeconds = 24 * 3_600;

/** The rest of the previous run, or everything sent since (pure). */
export function planScheduledRun({ course, doneUntil }: RememberedRun, nowMs: number): Course {
  const nowSeconds = Math.floor(nowMs / 1000);
  const earliest = nowSeconds - longestLookSeconds;
  if (course !== undefined && course.until >= earliest) return course;
  const until = nowSeconds - settlingSeconds;
  const since = doneUntil === undefined ? until - firstLookSeconds : doneUntil - overlapSeconds;
  return { since: Math.min(Math.max(since, earliest), until), until, after: undefined };
}

/** Where an earlier run with the same `since` stopped, or at the start (pure). */
export function planRunByHand({ course }: RememberedRun, span: Span): Course {
  const isSame = course?.since === span.since && course.until <= span.until;
  return { ...span, after: isSame ? course.after : undefined };
}

const hourSeconds = 3_600;
/** Deliveries, retries, queue and metric are then complete. */
const measurableAfterSeconds = 600;

/** Starts of whole hours, oldest first (pure). */
export function measurableHours(span: Span, nowMs: number): readonly number[] {
  const latestEnd = Math.min(span.until, Math.floor(nowMs / 1000) - measurableAfterSeconds);
  const hours: number[] = [];
  for (
    let hour = Math.ceil(span.since / hourSeconds) * hourSeconds;
    hour + hourSeconds <= latestEnd;
    hour += hourSeconds
  ) {
    hours.push(hour);
  }
  return hours;
}

/** The schedule is hourly: in a longer gap, messages may not have been counted either. */
const longestPauseSeconds = 9_000;

/**
 * Since the last rehearsal, at most a day (pure). Undefined to start over: earlier messages may not have been
 * counted.
 */
export function planScheduledHours(
  { doneUntil, ranAt }: RememberedRun,
  nowMs: number,
): readonly number[] | undefined {
  const nowSeconds = Math.floor(nowMs / 1000);
  if (doneUntil === undefined || ranAt === undefined || ranAt < nowSeconds - longestPauseSeconds) {
    return undefined;
  }
  return measurableHours(
    { since: Math.max(doneUntil, nowSeconds - longestLookSeconds), until: nowSeconds },
    nowMs,
  );
}
