import type { CacheAges } from "../../base/cached.ts";
import { lazyByKey } from "../../base/lazy.ts";
import { createAppSecret } from "./app-secret.ts";
import type { ReadSecret } from "./secret-reader.ts";

export interface NamedSecretsOptions {
  readonly readSecret: ReadSecret;
  readonly secretPrefix: string;
  readonly ages: CacheAges;
  readonly now: () => number;
}

/**
 * @throws InvalidSecretError if the app's secret has no such text
 * @throws the AWS SDK's error if the secret cannot be read
 */
export type NamedSecret = (appId: string, name: string) => Promise<string>;

export function createNamedSecrets(options: NamedSecretsOptions): NamedSecret {
  const sourceOf = lazyByKey((appId: string) => createAppSecret({ ...options, appId }));
  return async (appId, name) => (await sourceOf(appId).get()).text(name);
}
