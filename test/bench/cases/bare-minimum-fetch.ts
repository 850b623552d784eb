import { createHash } from "node:crypto";
import type { APIGatewayProxyEventV2 } from "aws-lambda";
import { AwsClient } from "aws4fetch";
import { readAwsEnvironment, readSetting } from "../../../lib/base/config.ts";

// The same as bare-minimum.ts by the usual means: `fetch`, and a small library that signs.
const { AWS_ACCESS_KEY_ID = "", AWS_SECRET_ACCESS_KEY = "", AWS_SESSION_TOKEN } = readAwsEnvironment();
const aws = new AwsClient({
  accessKeyId: AWS_ACCESS_KEY_ID,
  secretAccessKey: AWS_SECRET_ACCESS_KEY,
  ...(AWS_SESSION_TOKEN === undefined ? {} : { sessionToken: AWS_SESSION_TOKEN }),
  service: "sqs",
  region: "us-east-1",
});
const endpoint = readSetting("AWS_ENDPOINT_URL_SQS");
const queueUrl = readSetting("EVENTS_QUEUE_URL");

export async function handler({ body = "" }: APIGatewayProxyEventV2) {
  const { trigger } = JSON.parse(body);
  const response = await aws.fetch(`${endpoint}/`, {
    method: "POST",
    headers: { "content-type": "application/x-amz-json-1.0", "x-amz-target": "AmazonSQS.SendMessage" },
    body: JSON.stringify({
      QueueUrl: queueUrl,
      MessageBody: body,
      MessageGroupId: trigger,
      MessageDeduplicationId: createHash("sha256").update(body).digest("hex"),
    }),
  });
  await response.json();
  return { statusCode: 200, headers: { "content-type": "application/json" }, body: "{}" };
}
