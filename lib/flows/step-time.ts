import { causesOf } from "../base/errors.ts";
import { withTimeout } from "../base/timers.ts";
import { type AttemptLimits, createAttemptLimits } from "../effects/attempt-limits.ts";
import { EventEndedError, EventTimeUpError } from "../effects/effect-errors.ts";

export interface StepClock {
  readonly now: () => number;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Identifies the flow in its destinations' health. */
  readonly lane: string;
}

/** 30 s, as for an event's trigger. */
export const stepLimitMs = 30_000;
/** Nothing starts in the last part of a step's time. */
const limitMarginMs = 2_000;

/**
 * Ignores a later result.
 * @throws EventTimeUpError after 30 s, EventEndedError if the invocation had less time left
 */
export async function withinTime<T>(
  limitMs: number,
  { now, sleep, lane }: StepClock,
  work: (limits: AttemptLimits) => Promise<T>,
): Promise<T> {
  const limits = createAttemptLimits(lane, now() + limitMs - limitMarginMs, now);
  const endStep = () => {
    throw timeUp(limitMs, limits);
  };
  try {
    return await withTimeout(() => work(limits), limitMs, endStep, sleep);
  } catch (error) {
    const isOver =
      now() >= limits.deadlineMs && causesOf(error).some((one) => one instanceof EventEndedError);
    throw isOver ? timeUp(limitMs, limits) : error;
  } finally {
    limits.end();
  }
}

function timeUp(limitMs: number, { waitsFor }: AttemptLimits): Error {
  const [waitedFor] = waitsFor.keys();
  return limitMs < stepLimitMs ? new EventEndedError() : new EventTimeUpError(stepLimitMs, waitedFor);
}
