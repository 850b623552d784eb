import type { EffectLimits } from "./effect.ts";
import { EventEndedError } from "./effect-errors.ts";
import type { LaneLimits } from "./health/destinations.ts";

export interface AttemptLimits extends EffectLimits, LaneLimits {
  readonly signal: AbortSignal;
  end(): void;
  readonly hasEnded: () => boolean;
}

export function createAttemptLimits(
  lane: string,
  deadlineMs: number,
  now: () => number,
  { isHeldBack, isFresh }: Pick<LaneLimits, "isHeldBack" | "isFresh"> = {},
): AttemptLimits {
  const assertAlive = () => {
    if (now() >= deadlineMs) throw new EventEndedError();
  };
  return withEnd({
    lane,
    deadlineMs,
    isHeldBack,
    isFresh,
    probes: new Set(),
    waitsFor: new Map(),
    assertAlive,
  });
}

/** It ends with this one or before it. */
export function partOf(limits: AttemptLimits): AttemptLimits {
  return withEnd(limits, [limits.signal]);
}

function withEnd(limits: LaneLimits, outer: readonly AbortSignal[] = []): AttemptLimits {
  const ending = new AbortController();
  const signal = AbortSignal.any([...outer, ending.signal]);
  return {
    ...limits,
    signal,
    assertAlive: () => {
      signal.throwIfAborted();
      limits.assertAlive();
    },
    end: () => ending.abort(new EventEndedError()),
    hasEnded: () => signal.aborted,
  };
}
