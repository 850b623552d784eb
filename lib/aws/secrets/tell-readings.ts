import type { Count } from "../../base/count-metric.ts";
import { describeError } from "../../base/describe-error.ts";
import { isNotFound } from "../is-not-found.ts";
import type { ReadSecret } from "./secret-reader.ts";

/**
 * Counts readings of secrets that fail, as `SecretNotRead` by the secret's name: a process that knows an older value goes on
 * with it and fails nowhere else. That a secret has no previous version is no failure.
 */
export function tellReadings(readSecret: ReadSecret, count: Count): ReadSecret {
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
