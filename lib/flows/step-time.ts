import { causesOf } from "../base/errors.ts";
import { withTimeout } from "../base/timers.ts";
import { type AttemptScope, createAttemptScope } from "../effects/attempt-scope.ts";
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
const scopeMarginMs = 2_000;

/**
 * Ignores a later result.
 * @throws EventTimeUpError after 30 s, EventEndedError if the invocation had less time left
 */
export async function withinTime<T>(
  limitMs: number,
  { now, sleep, lane }: StepClock,
  work: (scope: AttemptScope) => Promise<T>,
): Promise<T> {
  const scope = createAttemptScope(lane, now() + limitMs - scopeMarginMs, now);
  const endStep = () => {
    throw timeUp(limitMs, scope);
  };
  try {
    return await withTimeout(() => work(scope), limitMs, endStep, sleep);
  } catch (error) {
    const isOver = now() >= scope.deadlineMs && causesOf(error).some((one) => one instanceof EventEndedError);
    throw isOver ? timeUp(limitMs, scope) : error;
  } finally {
    scope.end();
  }
}

function timeUp(limitMs: number, { waitsFor }: AttemptScope): Error {
  const [waitedFor] = waitsFor.keys();
  return limitMs < stepLimitMs ? new EventEndedError() : new EventTimeUpError(stepLimitMs, waitedFor);
}
