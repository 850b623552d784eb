import { createAwsCaller } from "../aws-call.ts";
import { readAppIds, readAwsEnvironment, readSetting } from "../config.ts";
import { createCountMetric } from "../count-metric.ts";
import { createLineLog } from "../log.ts";
import { createWebhookCredentials } from "../secrets/webhook-credentials.ts";
import type { SynchronousServices } from "./answer-call.ts";

/** Builds what the synchronous functions need, once per cold start, and starts to fetch the apps' credentials. */
export function buildSynchronousServices(): SynchronousServices {
  const now = Date.now;
  const callAws = createAwsCaller(readAwsEnvironment());
  const secretPrefix = readSetting("SECRET_PREFIX");
  const apps = new Map(
    readAppIds().map((appId) => [appId, createWebhookCredentials({ callAws, secretPrefix, appId, now })]),
  );
  // A failure is not lost: the first call fetches again and answers with what it finds.
  for (const credentials of apps.values()) credentials.get().catch(() => undefined);
  return { apps, log: createLineLog(console.log), count: createCountMetric(console.log, now), now };
}
