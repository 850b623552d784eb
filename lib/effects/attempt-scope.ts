import type { EffectScope } from "./effect.ts";
import { EventEndedError } from "./effect-errors.ts";
import type { RequestScope } from "./health/app-health.ts";

/** One attempt at an event: everything that is done for it asks whether the attempt is still on. */
export interface AttemptScope extends EffectScope, RequestScope {
  readonly signal: AbortSignal;
  /** Ends the attempt: nothing is started for it any more, and requests under way are ended. */
  end(): void;
  /** True after `end`. */
  readonly hasEnded: () => boolean;
}

/**
 * Begins an attempt at an event. A process that is frozen and thawed after the deadline finds it over.
 * @param deadlineMs milliseconds since 1970
 */
export function createAttemptScope(
  lane: string,
  deadlineMs: number,
  now: () => number,
  { isHeldBack, isFresh }: Pick<RequestScope, "isHeldBack" | "isFresh"> = {},
): AttemptScope {
  const ending = new AbortController();
  return {
    lane,
    deadlineMs,
    isHeldBack,
    isFresh,
    probes: new Set(),
    waitsFor: new Set(),
    signal: ending.signal,
    assertAlive: () => {
      if (ending.signal.aborted || now() >= deadlineMs) throw new EventEndedError();
    },
    end: () => ending.abort(new EventEndedError()),
    hasEnded: () => ending.signal.aborted,
  };
}
