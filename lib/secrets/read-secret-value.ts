import type { AwsCaller } from "../aws/aws-call.ts";
import { isRecord } from "../json.ts";

export type SecretStage = "AWSCURRENT" | "AWSPREVIOUS";

/**
 * Reads the value of one version of a secret; undefined when it is no text.
 * @throws AwsCallError when Secrets Manager refuses or gives no answer
 */
export async function readSecretValue(
  callAws: AwsCaller,
  secretId: string,
  stage: SecretStage,
): Promise<unknown> {
  const answer = await callAws({
    service: "secretsmanager",
    target: "secretsmanager.GetSecretValue",
    input: { SecretId: secretId, VersionStage: stage },
  });
  return isRecord(answer) ? answer.SecretString : undefined;
}
