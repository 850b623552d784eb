import type { EffectScope } from "./effect.ts";
import { EventEndedError } from "./effect-errors.ts";
import type { RequestScope } from "./health/destinations.ts";

export interface AttemptScope extends EffectScope, RequestScope {
  readonly signal: AbortSignal;
  end(): void;
  readonly hasEnded: () => boolean;
}

export function createAttemptScope(
  lane: string,
  deadlineMs: number,
  now: () => number,
  { isHeldBack, isFresh }: Pick<RequestScope, "isHeldBack" | "isFresh"> = {},
): AttemptScope {
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
export function partOf(scope: AttemptScope): AttemptScope {
  return withEnd(scope, [scope.signal]);
}

function withEnd(scope: RequestScope, outer: readonly AbortSignal[] = []): AttemptScope {
  const ending = new AbortController();
  const signal = AbortSignal.any([...outer, ending.signal]);
  return {
    ...scope,
    signal,
    assertAlive: () => {
      signal.throwIfAborted();
      scope.assertAlive();
    },
    end: () => ending.abort(new EventEndedError()),
    hasEnded: () => signal.aborted,
  };
}
