import { createHash } from "node:crypto";
import { AwsClient } from "aws4fetch";

// The lightest usual way to AWS, so that a peer is measured and not the SDK under it.
const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = process.env;
const aws = new AwsClient({
  accessKeyId: AWS_ACCESS_KEY_ID ?? "",
  secretAccessKey: AWS_SECRET_ACCESS_KEY ?? "",
  sessionToken: AWS_SESSION_TOKEN ?? "",
  region: "us-east-1",
});

export async function fetchSecret(): Promise<{ webhookUsername: string; webhookPassword: string }> {
  const SecretId = `${process.env.SECRET_PREFIX}/${process.env.BENCH_APP_ID}`;
  const { SecretString } = await call("secretsmanager", "secretsmanager.GetSecretValue", "1.1", { SecretId });
  return JSON.parse(SecretString);
}

export async function enqueue(body: string, group: string): Promise<void> {
  await call("sqs", "AmazonSQS.SendMessage", "1.0", {
    QueueUrl: process.env.EVENTS_QUEUE_URL,
    MessageBody: body,
    MessageGroupId: createHash("sha256").update(group).digest("hex"),
    MessageDeduplicationId: createHash("sha256").update(body).digest("hex"),
  });
}

async function call(service: "sqs" | "secretsmanager", target: string, version: string, input: object) {
  const variable = service === "sqs" ? "AWS_ENDPOINT_URL_SQS" : "AWS_ENDPOINT_URL_SECRETS_MANAGER";
  const response = await aws.fetch(`${process.env[variable]}/`, {
    method: "POST",
    headers: { "content-type": `application/x-amz-json-${version}`, "x-amz-target": target },
    body: JSON.stringify(input),
    aws: { service },
  });
  if (!response.ok) throw new Error(`${target} failed with ${response.status}.`);
  return response.json();
}
