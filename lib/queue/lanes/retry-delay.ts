import type { Failure } from "../../effects/classify-failure.ts";

/** The shortest and about the longest wait before the next attempt. */
const firstWaitMs = 5_000;
const longestWaitMs = 720_000;
const jitterShare = 0.25;
/** A user's limit renews each minute, also after hours of an outage: the wait grows to 135 s. */
const limitedFailures = 4;
/** The longest wait that a destination may request. */
const longestAskedMs = 900_000;

/**
 * Returns 5, 15, 45 seconds and so on up to 12 minutes, plus up to a quarter at random.
 * @param random from 0 up to 1
 */
export function retryDelayMsAfter(failures: number, random: number): number {
  const base = Math.min(firstWaitMs * 3 ** Math.max(0, Math.min(failures - 1, 10)), longestWaitMs);
  return Math.round(base * (1 + jitterShare * random));
}

/**
 * As above, but at least as long as the destination requests.
 * @param mostLimited after which failure the wait for a user's limit no longer grows. Default: 4
 */
export function retryDelayMsOf(
  failure: Failure,
  failures: number,
  random: number,
  mostLimited = limitedFailures,
): number {
  const isAsked = failure.kind === "outage" || failure.kind === "limited";
  const asked = isAsked ? Math.min(failure.retryAfterMs ?? 0, longestAskedMs) : 0;
  const counted = failure.kind === "limited" ? Math.min(failures, mostLimited) : failures;
  return Math.max(asked, retryDelayMsAfter(counted, random));
}
