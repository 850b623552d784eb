import { BatchProcessor, EventType, processPartialResponse } from "@aws-lambda-powertools/batch";
import { IdempotencyConfig, makeIdempotent } from "@aws-lambda-powertools/idempotency";
import { DynamoDBPersistenceLayer } from "@aws-lambda-powertools/idempotency/dynamodb";
import { Logger } from "@aws-lambda-powertools/logger";
import { DynamoDB } from "@aws-sdk/client-dynamodb";
import { SecretsManager } from "@aws-sdk/client-secrets-manager";
import { DynamoDBDocument } from "@aws-sdk/lib-dynamodb";
import type { Context, SQSEvent, SQSRecord } from "aws-lambda";
import { z } from "zod";
import { readSetting } from "../../../lib/base/config.ts";

// A consumer on the same libraries, imported as their front pages show: whole clients, `{ z }`, all eagerly.
const logger = new Logger({ serviceName: "process-events" });
const dynamodb = new DynamoDB({});
const documents = DynamoDBDocument.from(dynamodb);
const secrets = new SecretsManager({});
const persistenceStore = new DynamoDBPersistenceLayer({
  tableName: readSetting("EFFECTS_TABLE_NAME"),
  awsSdkV3Client: dynamodb,
});
const processor = new BatchProcessor(EventType.SQS);

const eventSchema = z.looseObject({
  trigger: z.string(),
  appId: z.string(),
  data: z.looseObject({
    message: z.looseObject({
      id: z.string(),
      conversationId: z.string(),
      sender: z.string(),
      receiver: z.string(),
      receiverType: z.enum(["user", "group"]),
      data: z.looseObject({ text: z.optional(z.string()) }),
    }),
  }),
});

const replyOnce = makeIdempotent(
  async (messageId: string) => {
    const secret = await secrets.getSecretValue({ SecretId: readSetting("SECRET_PREFIX") });
    const known = await documents.get({
      TableName: readSetting("EFFECTS_TABLE_NAME"),
      Key: { id: messageId },
    });
    const address = readSetting("CHAT_BASE_URL_TEMPLATE");
    await fetch(address, { method: "POST", headers: { apikey: secret.SecretString ?? "" } });
    return known.Item?.id ?? "";
  },
  { persistenceStore, config: new IdempotencyConfig({}) },
);

async function handleRecord(record: SQSRecord) {
  const { body } = JSON.parse(record.body);
  const { trigger, data } = eventSchema.parse(JSON.parse(body));
  if (trigger === "message_sent" && data.message.receiver === "support") await replyOnce(data.message.id);
  logger.debug("handled an event", { trigger });
}

export async function handler(event: SQSEvent, context: Context) {
  return processPartialResponse(event, handleRecord, processor, { context });
}
