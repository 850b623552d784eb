import type { EffectScope } from "./effect.ts";

/** How long a request of an effect may take. */
export interface RequestLimits {
  /** Milliseconds since 1970. */
  readonly deadlineMs: number;
  readonly signal: AbortSignal | undefined;
}

/** Gives the limits of an attempt's requests. */
export function requestLimits({ deadlineMs, signal }: EffectScope): RequestLimits {
  return { deadlineMs, signal };
}
