import { processPartialResponse, SqsFifoPartialProcessorAsync } from "@aws-lambda-powertools/batch";
import { Logger } from "@aws-lambda-powertools/logger";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from "aws-lambda";
import { createAwsCaller } from "../lib/aws-call.ts";
import { connectApp } from "../lib/chat/connect-app.ts";
import { readAwsEnvironment, readSetting } from "../lib/config.ts";
import { createCountMetric } from "../lib/count-metric.ts";
import { createEffectsStore } from "../lib/effects/effects-store.ts";
import { createBury } from "../lib/event-queue/bury.ts";
import { createPutOff } from "../lib/event-queue/put-off.ts";
import { createQuarantine } from "../lib/event-queue/quarantine.ts";
import { createKeyed } from "../lib/keyed.ts";
import { createAppCredentials } from "../lib/secrets/app-credentials.ts";
import { processEvent } from "../lib/triggers/process-event.ts";
import { triggerFamilies } from "../lib/triggers/trigger-chat.ts";
import { triggers } from "./triggers/index.ts";

/** The events queue's consumer. Reports failed records one by one; lanes without a failure go on. */
export async function handler(event: SQSEvent, context: Context): Promise<SQSBatchResponse> {
  const deadlineMs = services.now() + context.getRemainingTimeInMillis() - marginMs;
  const invocation = { ...services, store: storeOf(context), deadlineMs };
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
const storeOf = createEffectsStore(new DynamoDBClient(), readSetting("EFFECTS_TABLE_NAME"));
const services = buildServices();

function buildServices() {
  const now = Date.now;
  const callAws = createAwsCaller(readAwsEnvironment());
  const client = new SecretsManagerClient();
  const secretPrefix = readSetting("SECRET_PREFIX");
  const baseUrlTemplate = readSetting("CHAT_BASE_URL_TEMPLATE");
  const chats = createKeyed((appId) => {
    const credentials = createAppCredentials({ client, secretPrefix, appId, now });
    return connectApp(credentials, baseUrlTemplate, triggerFamilies);
  });
  return {
    triggers,
    chatOf: chats.get,
    quarantine: createQuarantine(callAws, readSetting("QUARANTINE_QUEUE_URL")),
    bury: createBury(callAws, readSetting("DEAD_LETTER_QUEUE_URL")),
    putOff: createPutOff(callAws, readSetting("EVENTS_QUEUE_URL")),
    log: new Logger({ serviceName: "process-events" }),
    count: createCountMetric(console.log, now),
    now,
  };
}
