import { type CacheAges, type Cached, createCached } from "../../base/cached.ts";
import { InvalidSecretError, parseSecret, type SecretFields } from "./parse-secret.ts";
import { secretIdOf } from "./secret-id.ts";
import { type ReadSecret, secretPatienceMs } from "./secret-reader.ts";

/** The text fields of one app's secret: kept for a while, and read anew on demand. Both throw what reading throws. */
export type SecretFieldsSource = Pick<Cached<SecretFields>, "get" | "refresh">;

/** Reads one field of an app's secret. @throws InvalidSecretError for a name that none may have, or a field that is missing */
export type SecretByName = (name: string) => Promise<string>;

export interface AppSecretOptions {
  readonly readSecret: ReadSecret;
  readonly secretPrefix: string;
  readonly appId: string;
  readonly ages: CacheAges;
  readonly now: () => number;
}

/** Makes the source of an app's secret fields; nothing is read yet. No log line shows what was read. */
export function createAppSecret(options: AppSecretOptions): SecretFieldsSource {
  const { readSecret, secretPrefix, appId, ages, now } = options;
  const secretId = secretIdOf(secretPrefix, appId);
  const load = async (deadlineMs: number) =>
    parseSecret(secretId, await readSecret(secretId, undefined, deadlineMs - now()));
  return createCached({ load, ages, now, patienceMs: secretPatienceMs });
}

/** Gives an app's secrets by name. The key of the platform is none of them: the client has it, and nobody else needs it. */
export function secretsByName(source: SecretFieldsSource, deadlineMs: number): SecretByName {
  return async (name) => {
    if (name === "apiKey") {
      throw new InvalidSecretError('The field "apiKey" is the client\'s: call the platform through `chat`.');
    }
    return (await source.get(deadlineMs)).text(name);
  };
}
