import type { EffectScope } from "./effect.ts";
import { EventEndedError } from "./effect-errors.ts";
import type { RequestScope } from "./health/destinations.ts";

/** One attempt at an event. All work for the event checks that the attempt has not ended. */
export interface AttemptScope extends EffectScope, RequestScope {
  readonly signal: AbortSignal;
  /** Ends the attempt: starts no further work and aborts pending requests. */
  end(): void;
  readonly hasEnded: () => boolean;
}

/**
 * Begins an attempt. A process that resumes from a freeze after the deadline finds the attempt ended.
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
