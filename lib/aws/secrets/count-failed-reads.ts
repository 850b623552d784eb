import type { Count } from "../../base/count-metric.ts";
import { describeError } from "../../base/describe-error.ts";
import { isNotFound } from "../is-not-found.ts";
import type { ReadSecret } from "./secret-reader.ts";

/**
 * As `SecretNotRead`, by the secret's name: otherwise invisible, because a process keeps using an older
 * value. A missing previous version is no failure.
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
