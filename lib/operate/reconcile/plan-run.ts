import type { Span } from "./list-messages.ts";
import type { Course, RememberedRun } from "./reconcile-memory.ts";
import { settlingSeconds } from "./reconcile-request.ts";

/**
 * How far a scheduled run goes back behind the one before: for messages that a list showed late, and for a platform whose
 * clock is up to so much behind ours.
 */
const overlapSeconds = 300;
/** Where nothing is remembered. */
const firstLookSeconds = 3_600;
/** A schedule that was off for longer leaves the rest to a run by hand. */
const longestLookSeconds = 24 * 3_600;

/** Decides what a scheduled run hands over (pure): what the one before left, or all that was sent since. */
export function planScheduledRun({ course, doneUntil }: RememberedRun, nowMs: number): Course {
  const nowSeconds = Math.floor(nowMs / 1000);
  const earliest = nowSeconds - longestLookSeconds;
  if (course !== undefined && course.until >= earliest) return course;
  const until = nowSeconds - settlingSeconds;
  const since = doneUntil === undefined ? until - firstLookSeconds : doneUntil - overlapSeconds;
  return { since: Math.min(Math.max(since, earliest), until), until, after: undefined };
}

/** Decides where a run by hand begins (pure): where an earlier one with the same `since` stopped, or at its beginning. */
export function planRunByHand({ course }: RememberedRun, span: Span): Course {
  const isSame = course?.since === span.since && course.until <= span.until;
  return { ...span, after: isSame ? course.after : undefined };
}

/** An hour, in the platform's seconds. */
const hourSeconds = 3_600;
/** Deliveries, retries, the queue's way and the metric's own are over then. */
const measurableAfterSeconds = 600;

/**
 * Gives the beginnings of the whole hours of a span that can be measured by now (pure), oldest first.
 */
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

/** The schedule runs every hour: where it did not run for longer, nothing may have been counted, either. */
const longestPauseSeconds = 9_000;

/**
 * Decides which hours a scheduled rehearsal measures (pure): those since the last one, a day at most. Undefined where
 * measuring begins anew: what was sent before now may not have been counted.
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
