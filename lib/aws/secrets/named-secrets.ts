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
 * Gives a text that a team has put into an app's secret under a name of its own. No log line shows it.
 * @throws InvalidSecretError when the secret has no such text, the AWS SDK's error when it cannot be read
 */
export type NamedSecret = (appId: string, name: string) => Promise<string>;

/** Reads each app's secret when one of its values is first asked for, and keeps it as long as other secrets. */
export function createNamedSecrets(options: NamedSecretsOptions): NamedSecret {
  const sourceOf = lazyByKey((appId: string) => createAppSecret({ ...options, appId }));
  return async (appId, name) => (await sourceOf(appId).get()).text(name);
}
