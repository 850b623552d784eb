import { AwsCallError, type AwsCaller } from "../aws-call.ts";
import { type Cached, createCached } from "../cached.ts";
import { type CredentialsDigest, digestCredentials } from "../http/basic-auth.ts";
import { parseSecret } from "./parse-secret.ts";
import { secretCacheTtlMs, secretIdOf } from "./secret-id.ts";

/** Digests of the credentials an app's webhooks may carry: the current ones, and the previous ones while they rotate. */
export type WebhookCredentials = Cached<readonly CredentialsDigest[]>;

export interface WebhookCredentialsOptions {
  readonly callAws: AwsCaller;
  readonly secretPrefix: string;
  readonly appId: string;
  readonly now: () => number;
}

/**
 * Keeps an app's webhook credentials at hand: versions AWSCURRENT and AWSPREVIOUS of its secret, as digests.
 * `get` throws AwsCallError when Secrets Manager gives no answer and InvalidSecretError when the secret is incomplete.
 */
export function createWebhookCredentials(options: WebhookCredentialsOptions): WebhookCredentials {
  const { callAws, secretPrefix, appId, now } = options;
  const secretId = secretIdOf(secretPrefix, appId);

  const readVersion = async (stage: "AWSCURRENT" | "AWSPREVIOUS"): Promise<CredentialsDigest> => {
    const answer = await callAws({
      service: "secretsmanager",
      target: "secretsmanager.GetSecretValue",
      input: { SecretId: secretId, VersionStage: stage },
    });
    const isObject = typeof answer === "object" && answer !== null;
    const field = parseSecret(secretId, isObject ? Reflect.get(answer, "SecretString") : undefined);
    return digestCredentials({ username: field("webhookUsername"), password: field("webhookPassword") });
  };

  const load = async (): Promise<readonly CredentialsDigest[]> => {
    const [current, previous] = await Promise.all([
      readVersion("AWSCURRENT"),
      readVersion("AWSPREVIOUS").catch(ignoreMissingVersion),
    ]);
    return previous === undefined ? [current] : [current, previous];
  };

  return createCached({ load, ttlMs: secretCacheTtlMs, now });
}

/** A secret that was never changed has no previous version, and a first version filled in by hand may be unusable. */
function ignoreMissingVersion(error: unknown): undefined {
  if (error instanceof AwsCallError && error.code !== "ResourceNotFoundException") throw error;
}
