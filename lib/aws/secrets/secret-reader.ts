import type { Count } from "../../base/count-metric.ts";
import { describeError } from "../../base/describe-error.ts";
import { OwnError } from "../../base/errors.ts";
import { lazy } from "../../base/lazy.ts";
import { withTimeout } from "../../base/timers.ts";
import { isNotFound } from "../aws-call.ts";

/**
 * Reads a version, by default the current one. Returns undefined if it is not text. Throws the AWS SDK's
 * error, or SecretTimeoutError after `limitMs` milliseconds.
 */
export type ReadSecret = (
  secretId: string,
  stage?: "AWSPREVIOUS" | "AWSPENDING",
  limitMs?: number,
) => Promise<string | undefined>;

/** The maximum wait while an older value is usable. */
export const secretMaxWaitMs = 2_000;

export class SecretTimeoutError extends OwnError {
  override readonly name = "SecretTimeoutError";
}

/** Limits of each of the SDK's three tries, which take a quarter of an event's time. */
const limits = { connectMs: 1_000, answerMs: 2_000 };

/**
 * The AWS SDK is loaded at the first read, outside the cold start. Without these limits, it would wait
 * forever.
 */
export function createReadSecret(): ReadSecret {
  const client = lazy(async () => {
    const { createSecretsManager } = await import("./secrets-manager.ts");
    return createSecretsManager(limits);
  });
  return (secretId, stage, limitMs = Number.POSITIVE_INFINITY) =>
    // Limits the whole call: the SDK can only limit each try.
    withTimeout(
      async () => (await client()).read(secretId, stage),
      limitMs,
      () => {
        throw new SecretTimeoutError(`Secrets Manager gave no answer within ${limitMs} ms.`);
      },
    );
}

/**
 * Counts failed reads as `SecretNotRead`, by the secret's name: they are otherwise invisible, because a
 * process keeps using an older value. A missing previous version is no failure.
 */
export function countFailedReads(readSecret: ReadSecret, count: Count): ReadSecret {
  return async (secretId, stage, limitMs) => {
    try {
      return await readSecret(secretId, stage, limitMs);
    } catch (error) {
      if (stage === undefined || !isNotFound(error)) {
        count("SecretNotRead", { secret: secretId }, { cause: describeError(error) });
      }
      throw error;
    }
  };
}
