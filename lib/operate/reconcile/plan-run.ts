import type { Span } from "./list-messages.ts";
import type { Course, RememberedRun } from "./reconcile-memory.ts";
import { settlingSeconds } from "./reconcile-request.ts";

/**
 * Overlap of a scheduled run with the previous one, for messages that a list showed late, and for a platform
 * clock that is up to this much behind ours.
 */
const overlapSeconds = 300;
/** If no earlier run is remembered. */
const firstLookSeconds = 3_600;
/** If the schedule was off for longer, the rest needs a manual run. */
const longestLookSeconds = 24 * 3_600;

/** Plans a scheduled run (pure): the rest of the previous one, or everything sent since. */
export function planScheduledRun({ course, doneUntil }: RememberedRun, nowMs: number): Course {
  const nowSeconds = Math.floor(nowMs / 1000);
  const earliest = nowSeconds - longestLookSeconds;
  if (course !== undefined && course.until >= earliest) return course;
  const until = nowSeconds - settlingSeconds;
  const since = doneUntil === undefined ? until - firstLookSeconds : doneUntil - overlapSeconds;
  return { since: Math.min(Math.max(since, earliest), until), until, after: undefined };
}

/**
 * Plans where a manual run begins (pure): where an earlier one with the same `since` stopped, or at its
 * start.
 */
export function planRunByHand({ course }: RememberedRun, span: Span): Course {
  const isSame = course?.since === span.since && course.until <= span.until;
  return { ...span, after: isSame ? course.after : undefined };
}

/** An hour, in the platform's seconds. */
const hourSeconds = 3_600;
/** By then deliveries, retries, the queue and the metric are complete. */
const measurableAfterSeconds = 600;

/** Returns the starts of the whole hours of a span that can be measured by now (pure), oldest first. */
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

/** The schedule runs every hour: after a longer gap, messages may not have been counted either. */
const longestPauseSeconds = 9_000;

/**
 * Plans which hours a scheduled rehearsal measures (pure): those since the last one, at most a day. Undefined
 * if measuring starts over: earlier messages may not have been counted.
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
