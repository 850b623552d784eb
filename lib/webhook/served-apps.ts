import type { AwsCaller } from "../aws/aws-call.ts";
import type { CacheAges } from "../cached.ts";
import { readSecretAges } from "../secrets/secret-ages.ts";
import { createWebhookCredentials } from "../secrets/webhook-credentials.ts";
import type { ServedApps } from "./verify-sender.ts";

export interface ServedAppsOptions {
  readonly callAws: AwsCaller;
  readonly secretPrefix: string;
  readonly appIds: readonly string[];
  readonly now: () => number;
  /** Default: the deployment's settings. */
  readonly ages?: CacheAges;
}

/** Makes the credentials of each app that a deployment serves; nothing is fetched yet. @throws InvalidSettingError */
export function createServedApps(options: ServedAppsOptions): ServedApps {
  const { appIds, ages = readSecretAges(), ...others } = options;
  return new Map(appIds.map((appId) => [appId, createWebhookCredentials({ ...others, ages, appId })]));
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
