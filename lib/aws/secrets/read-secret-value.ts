import { isRecord } from "../../base/json.ts";
import type { AwsCaller } from "../aws-call.ts";
import type { ReadSecret } from "./secret-reader.ts";

/**
 * The versions of a secret: in use, replaced, and being introduced.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/userguide/whats-in-a-secret.html
 */
export type SecretStage = "AWSCURRENT" | "AWSPREVIOUS" | "AWSPENDING";

/**
 * One version of a secret, as Secrets Manager answers.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_GetSecretValue.html
 */
export interface StoredVersion {
  /** Not text if the secret has bytes. */
  readonly SecretString?: unknown;
  /** When this version was made, in seconds since 1970. */
  readonly CreatedDate?: unknown;
  readonly VersionStages?: unknown;
}

/**
 * Reads one version of a secret.
 * @param deadlineMs Milliseconds since 1970.
 * @param timeoutMs Limit of each try. Default: that of the signed call.
 * @throws AwsCallError if Secrets Manager refuses the call or does not answer
 */
export async function readSecretVersion(
  callAws: AwsCaller,
  secretId: string,
  stage: SecretStage,
  deadlineMs?: number,
  timeoutMs?: number,
): Promise<StoredVersion> {
  const answer = await callAws({
    service: "secretsmanager",
    target: "secretsmanager.GetSecretValue",
    input: { SecretId: secretId, VersionStage: stage },
    deadlineMs,
    ...(timeoutMs !== undefined && { timeoutMs }),
  });
  return isRecord(answer) ? answer : {};
}

/** As `readSecretVersion`: its value alone. */
export async function readSecretValue(...call: Parameters<typeof readSecretVersion>): Promise<unknown> {
  return (await readSecretVersion(...call)).SecretString;
}

/**
 * Creates a reader of secrets on the signed call, for functions with a caller that waits for their cold
 * start: the SDK's client is 50 kB larger. The reader throws AwsCallError where `createReadSecret` throws the
 * SDK's errors.
 * @param now Milliseconds since 1970.
 * @param timeoutMs Limit of each try. Default: that of the signed call, made for questions of the platform.
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
