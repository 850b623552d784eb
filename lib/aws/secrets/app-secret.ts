import { type CacheAges, type Cached, createCached } from "../../base/cached.ts";
import { InvalidSecretError, parseSecret, type SecretFields } from "./parse-secret.ts";
import { secretIdOf } from "./secret-id.ts";
import { type ReadSecret, secretMaxWaitMs } from "./secret-reader.ts";
import { isSystemField } from "./system-fields.ts";

/** One app's secret, cached. Both methods throw the read's errors. */
export type SecretFieldsSource = Pick<Cached<SecretFields>, "get" | "refresh">;

/** @throws InvalidSecretError if the name is reserved or the field is missing */
export type SecretByName = (name: string) => Promise<string>;

export interface AppSecretOptions {
  readonly readSecret: ReadSecret;
  readonly secretPrefix: string;
  readonly appId: string;
  readonly ages: CacheAges;
  readonly now: () => number;
}

export function createAppSecret(options: AppSecretOptions): SecretFieldsSource {
  const { readSecret, secretPrefix, appId, ages, now } = options;
  const secretId = secretIdOf(secretPrefix, appId);
  const load = async (deadlineMs: number) =>
    parseSecret(secretId, await readSecret(secretId, undefined, deadlineMs - now()));
  return createCached({ load, ages, now, maxWaitMs: secretMaxWaitMs });
}

/** Refuses the system's own fields. */
export function secretsByName(source: SecretFieldsSource, deadlineMs?: number): SecretByName {
  return async (name) => {
    if (isSystemField(name)) {
      throw new InvalidSecretError(
        `The field "${name}" is the system's own: call the platform through \`chat\`.`,
      );
    }
    return (await source.get(deadlineMs)).text(name);
  };
}
