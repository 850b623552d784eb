import { lazy } from "../lazy.ts";

/**
 * Reads the value of a secret, the current one unless another stage is named; undefined when it is no text. Throws the AWS
 * SDK's error when it cannot.
 */
export type ReadSecret = (secretId: string, stage?: "AWSPREVIOUS") => Promise<string | undefined>;

/** Limits of each of the SDK's three tries, in milliseconds. */
export interface SecretReaderLimits {
  /** Until a connection stands. Default: 1,000. */
  readonly connectMs?: number;
  /** Until the whole answer is there. Default: 2,000; three tries then take a quarter of an event's time. */
  readonly answerMs?: number;
}

/**
 * Makes a reader of secrets on the AWS SDK, which retries where Secrets Manager asks for it. The SDK is loaded when the
 * first secret is read, and so is not part of a function's cold start. Without limits of ours it would wait for ever.
 */
export function createReadSecret({
  connectMs = 1_000,
  answerMs = 2_000,
}: SecretReaderLimits = {}): ReadSecret {
  const client = lazy(async () => {
    const { createSecretsManager } = await import("./secrets-manager.ts");
    return createSecretsManager({ connectMs, answerMs });
  });
  return async (secretId, stage) => (await client()).read(secretId, stage);
}
