import { processPartialResponse, SqsFifoPartialProcessorAsync } from "@aws-lambda-powertools/batch";
import { Logger } from "@aws-lambda-powertools/logger";
import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from "aws-lambda";
import { createAwsCaller } from "../lib/aws-call.ts";
import { createScheduleCheck } from "../lib/calls/call-check.ts";
import { createCallTracker } from "../lib/calls/call-tracker.ts";
import { connectApp } from "../lib/chat/connect-app.ts";
import { readAwsEnvironment, readSetting } from "../lib/config.ts";
import { createCountMetric } from "../lib/count-metric.ts";
import { createBury } from "../lib/event-queue/bury.ts";
import { createPutOff } from "../lib/event-queue/put-off.ts";
import { createQuarantine } from "../lib/event-queue/quarantine.ts";
import { createKeyed } from "../lib/keyed.ts";
import { createAppCredentials } from "../lib/secrets/app-credentials.ts";
import { createReadSecret } from "../lib/secrets/secret-reader.ts";
import { isWanted } from "../lib/triggers/on-trigger.ts";
import { processEvent } from "../lib/triggers/process-event.ts";
import { triggerFamilies } from "../lib/triggers/trigger-chat.ts";
import { createTables } from "./tables.ts";
import { triggers } from "./triggers/index.ts";

/** The events and calls queues' consumer. Reports failed records one by one; lanes without a failure go on. */
export async function handler(event: SQSEvent, context: Context): Promise<SQSBatchResponse> {
  const deadlineMs = services.now() + context.getRemainingTimeInMillis() - marginMs;
  const invocation = { ...services, store: tables.effectsOf(context), deadlineMs };
  const handleRecord = ({ messageId, body, attributes }: SQSRecord) => {
    const { MessageGroupId: lane = "", ApproximateReceiveCount: attempt } = attributes;
    return processEvent({ messageId, messageBody: body, lane, attempt: Number(attempt) }, invocation);
  };
  const response = await processPartialResponse(event, handleRecord, new SqsFifoPartialProcessorAsync(), {
    context,
    skipGroupOnError: true,
    throwOnFullBatchFailure: false,
  });
  await services.putOff(event.Records, response);
  return response;
}

/** What is left for the answer when the function's time is nearly up. */
const marginMs = 1000;

// Runs once per cold start.
const tables = createTables({
  effects: readSetting("EFFECTS_TABLE_NAME"),
  calls: readSetting("CALLS_TABLE_NAME"),
});
const services = buildServices();

function buildServices() {
  const now = Date.now;
  const callAws = createAwsCaller(readAwsEnvironment());
  const readSecret = createReadSecret();
  const secretPrefix = readSetting("SECRET_PREFIX");
  const baseUrlTemplate = readSetting("CHAT_BASE_URL_TEMPLATE");
  const chats = createKeyed((appId) => {
    const credentials = createAppCredentials({ readSecret, secretPrefix, appId, now });
    return connectApp(credentials, baseUrlTemplate, triggerFamilies);
  });
  return {
    triggers,
    chatOf: chats.get,
    calls: createCallTracker({
      table: tables.calls,
      scheduleCheck: createScheduleCheck(callAws, readSetting("CALLS_QUEUE_URL")),
      isWanted: (name) => isWanted(Object.values(triggers), name),
    }),
    quarantine: createQuarantine(callAws, readSetting("QUARANTINE_QUEUE_URL")),
    bury: createBury(callAws, readSetting("DEAD_LETTER_QUEUE_URL")),
    putOff: createPutOff(callAws, [readSetting("EVENTS_QUEUE_URL"), readSetting("CALLS_QUEUE_URL")]),
    log: new Logger({ serviceName: "process-events" }),
    count: createCountMetric(console.log, now),
    now,
  };
}
