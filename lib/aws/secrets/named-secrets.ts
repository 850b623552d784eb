import type { CacheAges } from "../../base/cached.ts";
import { lazyByKey } from "../../base/lazy.ts";
import { createAppSecret, secretsByName } from "./app-secret.ts";
import type { ReadSecret } from "./secret-reader.ts";

export interface NamedSecretsOptions {
  readonly readSecret: ReadSecret;
  readonly secretPrefix: string;
  readonly ages: CacheAges;
  readonly now: () => number;
}

/**
 * @throws InvalidSecretError if the field is the system's own, or the secret has no such text
 * @throws the AWS SDK's error if the secret cannot be read
 */
export type NamedSecret = (appId: string, name: string) => Promise<string>;

export function createNamedSecrets(options: NamedSecretsOptions): NamedSecret {
  const sourceOf = lazyByKey((appId: string) => createAppSecret({ ...options, appId }));
  return (appId, name) => secretsByName(sourceOf(appId))(name);
}
