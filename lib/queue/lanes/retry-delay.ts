/** The shortest and about the longest time that an event waits for its next attempt. */
const firstWaitMs = 5_000;
const longestWaitMs = 720_000;
/** At most this share is added by chance, so that events put off together do not come back together. */
const jitterShare = 0.25;

/**
 * Tells how long to wait after the n-th failure in a row: 5, 15, 45 seconds and so on up to 12 minutes, and up to a
 * quarter more by chance; so never above 15 minutes (pure).
 * @param random from 0 up to 1
 */
export function retryDelayMsAfter(failures: number, random: number): number {
  const base = Math.min(firstWaitMs * 3 ** Math.max(0, Math.min(failures - 1, 10)), longestWaitMs);
  return Math.round(base * (1 + jitterShare * random));
}
