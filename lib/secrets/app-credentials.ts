import type { AwsCaller } from "../aws-call.ts";
import { type Cached, createCached } from "../cached.ts";
import { parseSecret } from "./parse-secret.ts";
import { readSecretValue } from "./read-secret-value.ts";
import { secretCacheTtlMs, secretIdOf } from "./secret-id.ts";

/** What a call of the platform's REST API needs to know of an app. */
export interface AppCredentials {
  readonly appId: string;
  readonly region: string;
  readonly apiKey: string;
}

export interface AppCredentialsOptions {
  readonly callAws: AwsCaller;
  readonly secretPrefix: string;
  readonly appId: string;
  readonly now: () => number;
}

/**
 * Keeps an app's API key at hand: read from Secrets Manager, checked, kept 5 minutes, one fetch for concurrent callers.
 * `refresh` reads it again, for when the platform answers 401.
 * Both throw InvalidSecretError when the secret is incomplete and AwsCallError when it cannot be read.
 */
export function createAppCredentials(options: AppCredentialsOptions): Cached<AppCredentials> {
  const { callAws, secretPrefix, appId, now } = options;
  const secretId = secretIdOf(secretPrefix, appId);
  const load = async (): Promise<AppCredentials> => {
    const field = parseSecret(secretId, await readSecretValue(callAws, secretId, "AWSCURRENT"));
    return { appId: field("appId"), region: field("region"), apiKey: field("apiKey") };
  };
  return createCached({ load, ttlMs: secretCacheTtlMs, now });
}
