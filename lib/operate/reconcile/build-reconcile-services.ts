import { createAwsCaller } from "../../aws/aws-call.ts";
import { createTable } from "../../aws/create-table.ts";
import { createReadSecret } from "../../aws/secrets/secret-reader.ts";
import { servedAppIds } from "../../aws/served-app-ids.ts";
import { readAwsEnvironment, readSetting, readSettingOr } from "../../base/config.ts";
import { createProcessLog } from "../../base/log.ts";
import { readSecretAges } from "../../base/secret-ages.ts";
import { pause } from "../../base/timers.ts";
import { createAppCredentials } from "../../chat/app-credentials.ts";
import { composeOn } from "../../chat/compose.ts";
import { connectApp } from "../../chat/connect-apps.ts";
import { createEnqueueMany } from "../../queue/enqueue-many.ts";
import { createListMessages, createReceivedMeter, rawMessages } from "./list-messages.ts";
import { createReconcileMemory } from "./plan-run.ts";
import { NothingCountedError, type ReconcileAppsServices } from "./reconcile-apps.ts";
import { ReconcileRequestError } from "./reconcile-request.ts";

export function buildReconcileServices(): ReconcileAppsServices {
  const now = Date.now;
  const callAws = createAwsCaller(readAwsEnvironment());
  const readSecret = createReadSecret();
  const secretPrefix = readSetting("SECRET_PREFIX");
  const baseUrlTemplate = readSetting("CHAT_BASE_URL_TEMPLATE");
  const eventsQueueUrl = readSetting("EVENTS_QUEUE_URL");
  const ages = readSecretAges();
  const mode = readSettingOr("RECONCILE", "off");
  const lanes = createTable({ callAws, tableName: readSetting("LANES_TABLE_NAME"), sortKey: "item" });
  return {
    appIds: servedAppIds(),
    scheduledWork: mode === "hand-over" ? "hand over" : "rehearse",
    connect: async (appId) => {
      const credentials = createAppCredentials({ readSecret, secretPrefix, appId, ages, now });
      const { region } = await credentials.get();
      const { messages } = composeOn(await connectApp(credentials, baseUrlTemplate), {
        messages: rawMessages,
      });
      return { appId, region, listMessages: createListMessages(messages) };
    },
    meter: mode === "off" ? undefined : createReceivedMeter(callAws, secretPrefix, eventsQueueUrl),
    memory: createReconcileMemory(lanes, now),
    enqueueMany: createEnqueueMany(callAws, eventsQueueUrl),
    ...createProcessLog("reconcile"),
    sleep: pause,
    now,
  };
}

export interface Refusal {
  readonly errorType: string;
  readonly errorMessage: string;
}

/** If thrown, a wrong request would count as the function's error and raise an alarm. */
export function toRefusal(error: unknown): Refusal {
  if (!(error instanceof ReconcileRequestError || error instanceof NothingCountedError)) throw error;
  return { errorType: error.name, errorMessage: error.message };
}
