import type { EffectScope } from "./effect.ts";

export interface RequestLimits {
  /** Milliseconds since 1970. */
  readonly deadlineMs: number;
  readonly signal: AbortSignal | undefined;
}

export function requestLimits({ deadlineMs, signal }: EffectScope): RequestLimits {
  return { deadlineMs, signal };
}
