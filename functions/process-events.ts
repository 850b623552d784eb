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
import { createKeyed } from "../lib/keyed.ts";
import { createAppCredentials } from "../lib/secrets/app-credentials.ts";
import { processEvent } from "../lib/triggers/process-event.ts";
import { triggerFamilies } from "../lib/triggers/trigger-chat.ts";
import { createQuarantine } from "../lib/webhook/quarantine.ts";
import { triggers } from "./triggers/index.ts";

/** The events queue's consumer. Reports failed records one by one; lanes without a failure go on. */
export async function handler(event: SQSEvent, context: Context): Promise<SQSBatchResponse> {
  const invocation = {
    ...services,
    store: storeOf(context),
    deadlineMs: services.now() + context.getRemainingTimeInMillis() - marginMs,
  };
  const handleRecord = ({ messageId, body, attributes }: SQSRecord) =>
    processEvent(
      { messageId, messageBody: body, attempt: Number(attributes.ApproximateReceiveCount) },
      invocation,
    );
  return processPartialResponse(event, handleRecord, new SqsFifoPartialProcessorAsync(), {
    context,
    skipGroupOnError: true,
    throwOnFullBatchFailure: false,
  });
}

/** What is left for the answer when the function's time is nearly up. */
const marginMs = 1000;

// Runs once per cold start.
const storeOf = createEffectsStore(new DynamoDBClient(), readSetting("EFFECTS_TABLE_NAME"));
const services = buildServices();

function buildServices() {
  const now = Date.now;
  const client = new SecretsManagerClient();
  const secretPrefix = readSetting("SECRET_PREFIX");
  const baseUrlTemplate = readSetting("CHAT_BASE_URL_TEMPLATE");
  const quarantineQueueUrl = readSetting("QUARANTINE_QUEUE_URL");
  const chats = createKeyed((appId) => {
    const credentials = createAppCredentials({ client, secretPrefix, appId, now });
    return connectApp(credentials, baseUrlTemplate, triggerFamilies);
  });
  return {
    triggers,
    chatOf: chats.get,
    quarantine: createQuarantine(createAwsCaller(readAwsEnvironment()), quarantineQueueUrl),
    log: new Logger({ serviceName: "process-events" }),
    count: createCountMetric(console.log, now),
    now,
  };
}
