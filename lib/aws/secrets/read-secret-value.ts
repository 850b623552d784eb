import { isRecord } from "../../base/json.ts";
import type { AwsCaller } from "../aws-call.ts";
import type { ReadSecret } from "./secret-reader.ts";

/**
 * In use, replaced, being introduced.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/userguide/whats-in-a-secret.html
 */
export type SecretStage = "AWSCURRENT" | "AWSPREVIOUS" | "AWSPENDING";

/**
 * Returns undefined if it is not text.
 * @param deadlineMs Milliseconds since 1970.
 * @param timeoutMs Per try. Default: the signed call's.
 * @throws AwsCallError
 */
export async function readSecretValue(
  callAws: AwsCaller,
  secretId: string,
  stage: SecretStage,
  deadlineMs?: number,
  timeoutMs?: number,
): Promise<unknown> {
  const answer = await callAws({
    service: "secretsmanager",
    target: "secretsmanager.GetSecretValue",
    input: { SecretId: secretId, VersionStage: stage },
    deadlineMs,
    ...(timeoutMs !== undefined && { timeoutMs }),
  });
  return isRecord(answer) ? answer.SecretString : undefined;
}

/**
 * For functions with a caller that waits for their cold start: the SDK's client is 50 kB larger. The reader
 * throws AwsCallError where `createReadSecret` throws the SDK's errors.
 * @param timeoutMs Per try. Default: the signed call's, made for questions of the platform.
 */
export function createSignedReadSecret(
  callAws: AwsCaller,
  now: () => number,
  timeoutMs?: number,
): ReadSecret {
  return async (secretId, stage, limitMs = Number.POSITIVE_INFINITY) => {
    const deadlineMs = Number.isFinite(limitMs) ? now() + limitMs : undefined;
    const value = await readSecretValue(callAws, secretId, stage ?? "AWSCURRENT", deadlineMs, timeoutMs);
    return typeof value === "string" ? value : undefined;
  };
}
