import type { AwsCaller } from "../aws/aws-call.ts";
import { lazyByKey } from "../base/lazy.ts";
import { readSecretAges, type SecretAges } from "../base/secret-ages.ts";
import type { ServedApps } from "./verify-sender.ts";
import { createWebhookCredentials } from "./webhook-credentials.ts";

export interface ServedAppsOptions {
  readonly callAws: AwsCaller;
  readonly secretPrefix: string;
  readonly appIds: readonly string[];
  readonly now: () => number;
  readonly ages?: SecretAges;
}

/**
 * Loads credentials on first use: of hundreds of apps, most processes need one. @throws InvalidSettingError
 */
export function createServedApps(options: ServedAppsOptions): ServedApps {
  const { appIds, ages = readSecretAges(), ...others } = options;
  const credentialsOf = lazyByKey((appId: string) => createWebhookCredentials({ ...others, ages, appId }));
  const served = new Set(appIds);
  return {
    size: served.size,
    has: (appId) => served.has(appId),
    get: (appId) => (served.has(appId) ? credentialsOf(appId) : undefined),
    keys: () => served.keys(),
  };
}

/**
 * Uses the time while Lambda prepares the first request, unless many connections would delay the needed one.
 * After a failure, the first request reads again.
 */
export function startFetchingSecrets(apps: ServedApps, now: () => number = Date.now): void {
  if (apps.size > mostFetched) return;
  setImmediate(() => {
    for (const appId of apps.keys())
      apps
        .get(appId)
        ?.get(now() + firstReadMs)
        .catch(() => undefined);
  });
}

/** Each handshake takes milliseconds of a small processor. */
const mostFetched = 10;

const firstReadMs = 1_300;
