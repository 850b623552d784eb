import type { AwsCaller } from "../aws/aws-call.ts";
import { readSecretAges, type SecretAges } from "../base/secret-ages.ts";
import type { ServedApps } from "./verify-sender.ts";
import { createWebhookCredentials, type WebhookCredentials } from "./webhook-credentials.ts";

export interface ServedAppsOptions {
  readonly callAws: AwsCaller;
  readonly secretPrefix: string;
  readonly appIds: readonly string[];
  readonly now: () => number;
  /** Default: the deployment's settings. */
  readonly ages?: SecretAges;
}

/**
 * Creates the credentials of each served app on first use: of hundreds, a process for one delivery needs one.
 * Reads nothing yet. @throws InvalidSettingError
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
 * Begins to read the apps' credentials once the function is loaded, while Lambda prepares the first request,
 * unless so many connections would delay the needed one. After a failure, the first request reads again and
 * reports the result.
 */
export function startFetchingSecrets(apps: ServedApps, now: () => number = Date.now): void {
  if (apps.size > mostFetched) return;
  setImmediate(() => {
    for (const credentials of apps.values()) credentials.get(now() + firstReadMs).catch(() => undefined);
  });
}

/** Each read has its own connection, whose handshake takes milliseconds of a small processor. */
const mostFetched = 10;

/** As long as the first request would wait. */
const firstReadMs = 1_300;
