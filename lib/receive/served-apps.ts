import type { AwsCaller } from "../aws/aws-call.ts";
import type { CacheAges } from "../base/cached.ts";
import { readSecretAges } from "../base/secret-ages.ts";
import type { ServedApps } from "./verify-sender.ts";
import { createWebhookCredentials, type WebhookCredentials } from "./webhook-credentials.ts";

export interface ServedAppsOptions {
  readonly callAws: AwsCaller;
  readonly secretPrefix: string;
  readonly appIds: readonly string[];
  readonly now: () => number;
  /** Default: the deployment's settings. */
  readonly ages?: CacheAges;
}

/**
 * Makes the credentials of each app that a deployment serves, when it is first asked for: of hundreds, a process that was started
 * for one delivery needs one. Nothing is fetched yet. @throws InvalidSettingError
 */
export function createServedApps(options: ServedAppsOptions): ServedApps {
  const { appIds, ages = readSecretAges(), ...others } = options;
  const made = new Map<string, WebhookCredentials>();
  const credentialsOf = (appId: string) => {
    const credentials = made.get(appId) ?? createWebhookCredentials({ ...others, ages, appId });
    made.set(appId, credentials);
    return credentials;
  };
  const served = new Set(appIds);
  return {
    size: served.size,
    has: (appId) => served.has(appId),
    get: (appId) => (served.has(appId) ? credentialsOf(appId) : undefined),
    values: () => served.values().map(credentialsOf),
  };
}

/**
 * Starts to fetch the apps' credentials once the function is loaded, while Lambda gets the first request ready, unless the
 * apps are so many that their connections would delay the one that the request is about.
 * A failure is not lost: the first request fetches again and is answered with what it finds.
 */
export function startFetchingSecrets(apps: ServedApps, now: () => number = Date.now): void {
  if (apps.size > mostFetched) return;
  setImmediate(() => {
    for (const credentials of apps.values()) credentials.get(now() + firstReadMs).catch(() => undefined);
  });
}

/** Each reading has a connection of its own, whose handshake takes milliseconds of the little processor there is. */
const mostFetched = 10;

/** As long as the first request would wait. */
const firstReadMs = 1_300;
