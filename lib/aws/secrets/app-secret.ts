import { type CacheAges, type Cached, createStrictCached } from "../../base/cached.ts";
import { lazyByKey } from "../../base/lazy.ts";
import { InvalidSecretError, isSystemField, parseSecret, type SecretFields } from "./parse-secret.ts";
import { secretIdOf } from "./read-secret-value.ts";
import { type ReadSecret, secretMaxWaitMs } from "./secret-reader.ts";

/**
 * One app's secret, cached. Methods throw the read's errors, `refresh` even if an outdated value is usable.
 */
export type SecretFieldsSource = Pick<Cached<SecretFields>, "get" | "refresh">;

/** @throws InvalidSecretError if the name is reserved or the field is missing */
export type SecretByName = (name: string) => Promise<string>;

interface AppSecretOptions {
  readonly readSecret: ReadSecret;
  readonly secretPrefix: string;
  readonly appId: string;
  readonly ages: CacheAges;
  readonly now: () => number;
  /** In milliseconds, while an outdated value is usable. Default: one try of the SDK. */
  readonly maxWaitMs?: number;
}

export function createAppSecret(options: AppSecretOptions): SecretFieldsSource {
  const { readSecret, secretPrefix, appId, ages, now, maxWaitMs = secretMaxWaitMs } = options;
  const secretId = secretIdOf(secretPrefix, appId);
  const load = async (deadlineMs: number) =>
    parseSecret(secretId, await readSecret(secretId, undefined, deadlineMs - now()));
  return createStrictCached({ load, ages, now, maxWaitMs });
}

/** Reads values by name, except the system's own fields. */
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

/**
 * @throws InvalidSecretError if the field is the system's own, or the secret has no such text
 * @throws the AWS SDK's error if the secret cannot be read
 */
export type NamedSecret = (appId: string, name: string) => Promise<string>;

export function createNamedSecrets(options: Omit<AppSecretOptions, "appId">): NamedSecret {
  const sourceOf = lazyByKey((appId: string) => createAppSecret({ ...options, appId }));
  return (appId, name) => secretsByName(sourceOf(appId))(name);
}
