import { lazy } from "../../base/lazy.ts";

/**
 * Reads the value of a secret, the current one unless another stage is named; undefined when it is no text. Throws the AWS
 * SDK's error when it cannot, and SecretTimeoutError when that took longer than `limitMs`, in milliseconds.
 */
export type ReadSecret = (
  secretId: string,
  stage?: "AWSPREVIOUS",
  limitMs?: number,
) => Promise<string | undefined>;

/**
 * How long the consumer waits for a newer value of a secret while an older one serves as well: as long as one of the SDK's
 * tries may take.
 */
export const secretPatienceMs = 2_000;

/** Thrown when a secret was not read in the time that its reader had. */
export class SecretTimeoutError extends Error {
  override readonly name = "SecretTimeoutError";
}

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
  return (secretId, stage, limitMs = Number.POSITIVE_INFINITY) =>
    within(
      limitMs,
      client().then(({ read }) => read(secretId, stage)),
    );
}

/** Gives what the work gives; what comes later is ignored. The SDK knows limits of each of its tries only. */
async function within<T>(limitMs: number, work: Promise<T>): Promise<T> {
  if (!Number.isFinite(limitMs)) return work;
  let timer: NodeJS.Timeout | undefined;
  const timeUp = new Promise<never>((_, reject) => {
    const end = () => reject(new SecretTimeoutError(`Secrets Manager gave no answer within ${limitMs} ms.`));
    timer = setTimeout(end, limitMs);
  });
  try {
    return await Promise.race([work, timeUp]);
  } finally {
    clearTimeout(timer);
  }
}
