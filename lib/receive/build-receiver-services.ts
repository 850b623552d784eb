import { createAwsCaller } from "../aws/aws-call.ts";
import { servedAppIds } from "../aws/served-app-ids.ts";
import { readAwsEnvironment, readNumberOr, readSetting } from "../base/config.ts";
import { createHint, createProcessLog } from "../base/log.ts";
import { createEnqueue } from "../queue/enqueue.ts";
import { createQuarantine } from "../queue/quarantine.ts";
import { createNoticeAnomalies } from "./notice-anomalies.ts";
import type { ReceiverServices } from "./receive-webhook.ts";
import { createServedApps, startFetchingSecrets } from "./served-apps.ts";

export function buildReceiverServices(): ReceiverServices {
  const now = Date.now;
  const callAws = createAwsCaller(readAwsEnvironment());
  const secretPrefix = readSetting("SECRET_PREFIX");
  const apps = createServedApps({ callAws, secretPrefix, appIds: servedAppIds(), now });
  startFetchingSecrets(apps);
  const tools = { ...createProcessLog("webhook"), now };
  return {
    apps,
    enqueue: createEnqueue(callAws, readSetting("EVENTS_QUEUE_URL")),
    quarantine: createQuarantine(callAws, readSetting("QUARANTINE_QUEUE_URL")),
    notice: createNoticeAnomalies(tools),
    hint: createHint(tools),
    ...tools,
    replayMs: readNumberOr("SIGNED_DELIVERY_HOURS", 24) * 3_600_000,
  };
}
