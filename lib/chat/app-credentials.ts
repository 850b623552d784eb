import { InvalidSecretError, parseSecret } from "../aws/secrets/parse-secret.ts";
import { secretIdOf } from "../aws/secrets/read-secret-value.ts";
import { type ReadSecret, secretMaxWaitMs } from "../aws/secrets/secret-reader.ts";
import { type CacheAges, type Cached, createCached } from "../base/cached.ts";
import { usualSecretAges } from "../base/secret-ages.ts";
import { isPlainKey, isRegion, type Region, regions } from "./address.ts";

export interface AppCredentials {
  readonly appId: string;
  readonly region: Region;
  readonly apiKey: string;
}

interface AppCredentialsOptions {
  readonly readSecret: ReadSecret;
  readonly secretPrefix: string;
  readonly appId: string;
  readonly ages?: CacheAges;
  readonly now: () => number;
  /** Returns 0 ≤ n < 1. Default: Math.random. */
  readonly random?: (() => number) | undefined;
}

/**
 * Concurrent callers share one read. Pauses some seconds after a failure. `refresh` reads again after a 401.
 * @throws InvalidSecretError if the secret is incomplete; AwsCallError or the AWS SDK's error
 */
export function createAppCredentials(options: AppCredentialsOptions): Cached<AppCredentials> {
  const { readSecret, secretPrefix, appId, ages = usualSecretAges, now, random } = options;
  const secretId = secretIdOf(secretPrefix, appId);
  const load = async (deadlineMs: number): Promise<AppCredentials> => {
    const { text } = parseSecret(secretId, await readSecret(secretId, undefined, deadlineMs - now()));
    if (text("appId") !== appId) {
      throw new InvalidSecretError(
        `Secret ${secretId} holds the credentials of another app: its "appId" must be ${appId}.`,
      );
    }
    const [region, apiKey] = [text("region"), text("apiKey")];
    if (!isRegion(region)) {
      throw new InvalidSecretError(
        `Secret ${secretId} names a region that the platform does not have: "region" must be one of ${regions.join(", ")}.`,
      );
    }
    if (!isPlainKey(apiKey)) {
      throw new InvalidSecretError(
        `Secret ${secretId} holds no key in "apiKey": a key has no spaces or line breaks, also at its end.`,
      );
    }
    return { appId, region, apiKey };
  };
  return createCached({ load, ages, now, random, maxWaitMs: secretMaxWaitMs });
}
