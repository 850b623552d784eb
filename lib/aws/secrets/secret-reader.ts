/**
 * By default the current version; undefined if not text. Throws AwsCallError, also without an answer in
 * `limitMs` milliseconds.
 */
export type ReadSecret = (
  secretId: string,
  stage?: "AWSPREVIOUS",
  limitMs?: number,
) => Promise<string | undefined>;

/** Maximum wait for a newer value while an older one is usable: one try. */
export const secretMaxWaitMs = 2_000;
