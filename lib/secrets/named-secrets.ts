import { type CacheAges, createCached } from "../cached.ts";
import { lazyByKey } from "../lazy.ts";
import { parseSecret, type SecretFields } from "./parse-secret.ts";
import { usualSecretAges } from "./secret-ages.ts";
import { secretIdOf } from "./secret-id.ts";
import { type ReadSecret, secretPatienceMs } from "./secret-reader.ts";

export interface NamedSecretsOptions {
  readonly readSecret: ReadSecret;
  readonly secretPrefix: string;
  /** Default: those of lib/secrets/secret-ages.ts. */
  readonly ages?: CacheAges;
  readonly now: () => number;
  /** From 0 up to 1. Default: Math.random. */
  readonly random?: () => number;
}

/**
 * Gives a text that a team has put into an app's secret under a name of its own. No log line shows it.
 * @throws InvalidSecretError when the secret has no such text, the AWS SDK's error when it cannot be read
 */
export type NamedSecret = (appId: string, name: string) => Promise<string>;

/** Reads each app's secret when one of its values is first asked for, and keeps it as long as other secrets. */
export function createNamedSecrets(options: NamedSecretsOptions): NamedSecret {
  const { readSecret, secretPrefix, ages = usualSecretAges, now, random } = options;
  const fieldsOf = lazyByKey((appId: string) => {
    const secretId = secretIdOf(secretPrefix, appId);
    const load = async (deadlineMs: number): Promise<SecretFields> =>
      parseSecret(secretId, await readSecret(secretId, undefined, deadlineMs - now()));
    return createCached({ load, ages, now, random, patienceMs: secretPatienceMs });
  });
  return async (appId, name) => (await fieldsOf(appId).get()).text(name);
}
