import { isRecord, parseJson } from "../../base/json.ts";
import type { AwsCaller } from "../aws-call.ts";
import type { ReadSecret } from "./secret-reader.ts";

/** The secret holds `{appId, region, apiKey}`, and the team's own fields. */
export function secretIdOf(secretPrefix: string, appId: string): string {
  return `${secretPrefix}/${appId}`;
}

/** The secret authenticates the platform's requests: `isWebhookField`, and `appId`. */
export function webhookSecretIdOf(secretPrefix: string, appId: string): string {
  return `${secretIdOf(secretPrefix, appId)}/webhook`;
}

/**
 * The version in use, the replaced one, and the one being introduced.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/userguide/whats-in-a-secret.html
 */
export type SecretStage = "AWSCURRENT" | "AWSPREVIOUS" | "AWSPENDING";

/**
 * Secrets Manager's answer.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_GetSecretValue.html
 */
export interface StoredVersion {
  /** Not a text if the secret has bytes. */
  readonly SecretString?: unknown;
  /** Seconds since 1970. */
  readonly CreatedDate?: unknown;
  readonly VersionStages?: unknown;
}

/**
 * @param deadlineMs Milliseconds since 1970.
 * @param timeoutMs Per try. Default: the signed call's.
 * @throws AwsCallError
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

export async function readSecretValue(...call: Parameters<typeof readSecretVersion>): Promise<unknown> {
  return (await readSecretVersion(...call)).SecretString;
}

/**
 * Reads an app's two secrets as one JSON object, for an operator. Returns the app's own if it is no object.
 * @throws AwsCallError
 */
export async function readBothSecrets(
  callAws: AwsCaller,
  secretPrefix: string,
  appId: string,
): Promise<unknown> {
  const read = (secretId: string) => readSecretValue(callAws, secretId, "AWSCURRENT");
  const own = await read(secretIdOf(secretPrefix, appId));
  const [app, webhook] = [own, await read(webhookSecretIdOf(secretPrefix, appId))].map((value) =>
    parseJson(String(value)),
  );
  return isRecord(app) && isRecord(webhook) ? JSON.stringify({ ...app, ...webhook, appId: app.appId }) : own;
}

/**
 * Creates a reader for functions whose caller waits for their cold start: the SDK's client is 50 kB larger.
 * It throws AwsCallError.
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
