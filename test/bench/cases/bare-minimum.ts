import type { APIGatewayProxyEventV2 } from "aws-lambda";
import { createAwsCaller } from "../../../lib/aws-call.ts";
import { readAwsEnvironment, readSetting } from "../../../lib/config.ts";
import { sha256Hex } from "../../../lib/digest.ts";

// The least that puts a webhook on a queue, nothing checked: what our own signed call costs, and no more.
const callAws = createAwsCaller(readAwsEnvironment());
const queueUrl = readSetting("EVENTS_QUEUE_URL");

export async function handler({ body = "" }: APIGatewayProxyEventV2) {
  const { trigger } = JSON.parse(body);
  await callAws({
    service: "sqs",
    target: "AmazonSQS.SendMessage",
    input: {
      QueueUrl: queueUrl,
      MessageBody: body,
      MessageGroupId: trigger,
      MessageDeduplicationId: sha256Hex(body),
    },
  });
  return { statusCode: 200, headers: { "content-type": "application/json" }, body: "{}" };
}
