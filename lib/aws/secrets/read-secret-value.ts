import { isRecord } from "../../base/json.ts";
import type { AwsCaller } from "../aws-call.ts";

/**
 * The versions of a secret: in use, replaced, and being introduced.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/userguide/whats-in-a-secret.html
 */
export type SecretStage = "AWSCURRENT" | "AWSPREVIOUS" | "AWSPENDING";

/**
 * Reads the value of one version of a secret. Returns undefined if it is not text.
 * @param deadlineMs Milliseconds since 1970.
 * @throws AwsCallError if Secrets Manager refuses the call or does not answer
 */
export async function readSecretValue(
  callAws: AwsCaller,
  secretId: string,
  stage: SecretStage,
  deadlineMs?: number,
): Promise<unknown> {
  const answer = await callAws({
    service: "secretsmanager",
    target: "secretsmanager.GetSecretValue",
    input: { SecretId: secretId, VersionStage: stage },
    deadlineMs,
  });
  return isRecord(answer) ? answer.SecretString : undefined;
}
