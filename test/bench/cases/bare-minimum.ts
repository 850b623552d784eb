import type { APIGatewayProxyEventV2 } from "aws-lambda";
import { createAwsCaller } from "../../../lib/aws/aws-call.ts";
import { readAwsEnvironment, readSetting } from "../../../lib/base/config.ts";
import { sha256Hex } from "../../../lib/base/digest.ts";
import type { QueuedEvent } from "../../../lib/queue/queued-event.ts";

// The least that puts a webhook on a queue, nothing checked: parse, one digest, and our own signed call with
// the message that the consumer reads (lib/queue/queued-event.ts).
const callAws = createAwsCaller(readAwsEnvironment());
const queueUrl = readSetting("EVENTS_QUEUE_URL");

export async function handler({ body = "", pathParameters }: APIGatewayProxyEventV2) {
  const { trigger, data } = JSON.parse(body);
  const group = data.message.conversationId;
  const key = sha256Hex(body);
  const message: QueuedEvent = {
    v: 1,
    appId: pathParameters?.appId ?? "",
    family: "webhook",
    trigger,
    key,
    receivedAt: Date.now(),
    body,
    base64: false,
  };
  await callAws({
    service: "sqs",
    target: "AmazonSQS.SendMessage",
    input: {
      QueueUrl: queueUrl,
      MessageBody: JSON.stringify(message),
      MessageGroupId: group,
      MessageDeduplicationId: key,
    },
  });
  return { statusCode: 200, headers: { "content-type": "application/json" }, body: "{}" };
}
