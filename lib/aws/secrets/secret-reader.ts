/**
 * By default the current version; undefined if not text. Throws AwsCallError, also if there is no answer within
 * `limitMs` milliseconds.
 */
export type ReadSecret = (
  secretId: string,
  stage?: "AWSPREVIOUS",
  limitMs?: number,
) => Promise<string | undefined>;

/** Maximum wait for a newer value while an older one is usable: one try. */
export const secretMaxWaitMs = 2_000;
