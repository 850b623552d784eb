import { Logger } from "@aws-lambda-powertools/logger";
import type { Context } from "aws-lambda";
import { createAwsCaller } from "../aws/aws-call.ts";
import { connectApp } from "../chat/connect-app.ts";
import { readAwsEnvironment, readSetting } from "../config.ts";
import { createCountMetric } from "../count-metric.ts";
import { createBury } from "../event-queue/bury.ts";
import { createPutOff } from "../event-queue/put-off.ts";
import { createQuarantine } from "../event-queue/quarantine.ts";
import { lazyByKey } from "../lazy.ts";
import { createScheduleCheck } from "../phone-calls/call-check.ts";
import { createCallTracker } from "../phone-calls/call-tracker.ts";
import { createAppCredentials } from "../secrets/app-credentials.ts";
import { createReadSecret } from "../secrets/secret-reader.ts";
import { isWanted } from "./on-trigger.ts";
import type { ProcessEventServices } from "./process-event.ts";
import type { TriggerTable } from "./run-triggers.ts";
import { createTables } from "./tables.ts";
import { triggerFamilies } from "./trigger-chat.ts";

export interface ConsumerServices {
  /** What handling an event needs in one invocation, which ends when its context says. */
  readonly servicesOf: (context: Context) => ProcessEventServices;
  readonly putOff: ReturnType<typeof createPutOff>;
}

/** What is left for the answer when the function's time is nearly up. */
const marginMs = 1000;

/** Builds what the consumer needs, once per cold start. */
export function buildConsumerServices(triggers: TriggerTable): ConsumerServices {
  const now = Date.now;
  const callAws = createAwsCaller(readAwsEnvironment());
  const readSecret = createReadSecret();
  const secretPrefix = readSetting("SECRET_PREFIX");
  const baseUrlTemplate = readSetting("CHAT_BASE_URL_TEMPLATE");
  const [eventsQueueUrl, callsQueueUrl] = [readSetting("EVENTS_QUEUE_URL"), readSetting("CALLS_QUEUE_URL")];
  const tables = createTables({
    effects: readSetting("EFFECTS_TABLE_NAME"),
    calls: readSetting("CALLS_TABLE_NAME"),
  });
  const chatOf = lazyByKey((appId: string) => {
    const credentials = createAppCredentials({ readSecret, secretPrefix, appId, now });
    return connectApp(credentials, baseUrlTemplate, triggerFamilies);
  });
  const services = {
    triggers,
    chatOf,
    calls: createCallTracker({
      table: tables.calls,
      scheduleCheck: createScheduleCheck(callAws, callsQueueUrl),
      isWanted: (name) => isWanted(Object.values(triggers), name),
    }),
    quarantine: createQuarantine(callAws, readSetting("QUARANTINE_QUEUE_URL")),
    bury: createBury(callAws, readSetting("DEAD_LETTER_QUEUE_URL")),
    log: new Logger({ serviceName: "process-events" }),
    count: createCountMetric(console.log, now),
    now,
  };
  return {
    servicesOf: (context) => ({
      ...services,
      store: tables.effectsOf(context),
      deadlineMs: now() + context.getRemainingTimeInMillis() - marginMs,
    }),
    putOff: createPutOff(callAws, [eventsQueueUrl, callsQueueUrl]),
  };
}
