import type { AwsCaller } from "../aws/aws-call.ts";
import { createWebhookCredentials } from "../secrets/webhook-credentials.ts";
import type { ServedApps } from "./verify-sender.ts";

export interface ServedAppsOptions {
  readonly callAws: AwsCaller;
  readonly secretPrefix: string;
  readonly appIds: readonly string[];
  readonly now: () => number;
}

/** Makes the credentials of each app that a deployment serves; nothing is fetched yet. */
export function createServedApps({ appIds, ...options }: ServedAppsOptions): ServedApps {
  return new Map(appIds.map((appId) => [appId, createWebhookCredentials({ ...options, appId })]));
}

/**
 * Starts to fetch every app's credentials once the function is loaded, while Lambda gets the first request ready.
 * A failure is not lost: the first request fetches again and is answered with what it finds.
 */
export function startFetchingSecrets(apps: ServedApps): void {
  setImmediate(() => {
    for (const credentials of apps.values()) credentials.get().catch(() => undefined);
  });
}
