import { retryDelayMsAfter } from "../../../../queue/lanes/retry-delay.ts";

/** Maximum of retryDelayMsAfter. */
export const longestUsualMs = 900_000;
export const longestDelayMs = 31_536_000_000; // 365 days

/** Falls back to the usual delay: an error would stop the lane. */
export function neverFailing(delayMs: (tries: number) => number): (tries: number) => number {
  return (tries) => {
    try {
      const ms = delayMs(tries);
      return Number.isFinite(ms) ? Math.min(ms, longestDelayMs) : usualDelayMs(tries);
    } catch {
      return usualDelayMs(tries);
    }
  };
}

export function usualDelayMs(tries: number): number {
  return retryDelayMsAfter(tries, Math.random());
}
