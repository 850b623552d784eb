import { createHash } from "node:crypto";
import { Logger } from "@aws-lambda-powertools/logger";
import { GetSecretValueCommand, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { SendMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import type { APIGatewayProxyEventV2 } from "aws-lambda";
import { z } from "zod";
import { readSetting } from "../../../lib/base/config.ts";

// The receiver as a tutorial would write it, with care but without thought of the cold start.
const logger = new Logger({ serviceName: "webhook" });
const secrets = new SecretsManagerClient({});
const queue = new SQSClient({});

const secretSchema = z.object({ webhookUsername: z.string(), webhookPassword: z.string() });
const bodySchema = z.looseObject({
  trigger: z.string(),
  appId: z.string(),
  data: z.looseObject({ message: z.looseObject({ id: z.string(), conversationId: z.string() }) }),
});

let expected: Promise<string> | undefined;

async function fetchExpected() {
  const SecretId = `${readSetting("SECRET_PREFIX")}/${readSetting("BENCH_APP_ID")}`;
  const { SecretString = "" } = await secrets.send(new GetSecretValueCommand({ SecretId }));
  const { webhookUsername, webhookPassword } = secretSchema.parse(JSON.parse(SecretString));
  return `Basic ${Buffer.from(`${webhookUsername}:${webhookPassword}`).toString("base64")}`;
}

export async function handler({ headers, body = "" }: APIGatewayProxyEventV2) {
  expected ??= fetchExpected();
  if (headers.authorization !== (await expected)) return { statusCode: 401, body: "{}" };
  const { trigger, data } = bodySchema.parse(JSON.parse(body));
  await queue.send(
    new SendMessageCommand({
      QueueUrl: readSetting("EVENTS_QUEUE_URL"),
      MessageBody: body,
      MessageGroupId: createHash("sha256").update(data.message.conversationId).digest("hex"),
      MessageDeduplicationId: createHash("sha256").update(`${trigger} ${data.message.id}`).digest("hex"),
    }),
  );
  logger.debug("enqueued a delivery", { trigger });
  return { statusCode: 200, headers: { "content-type": "application/json" }, body: "{}" };
}
