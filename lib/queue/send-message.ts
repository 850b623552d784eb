import type { AwsCaller } from "../aws/aws-call.ts";

interface QueueMessage {
  readonly MessageBody: string;
  readonly MessageGroupId?: string;
  readonly MessageDeduplicationId?: string;
  readonly MessageAttributes?: MessageAttributes | undefined;
}

export type MessageAttributes = Readonly<
  Record<string, { readonly DataType: string; readonly StringValue: string }>
>;

/** @throws AwsCallError */
export async function sendMessage(
  callAws: AwsCaller,
  QueueUrl: string,
  message: QueueMessage,
  deadlineMs?: number,
): Promise<void> {
  await callAws({
    service: "sqs",
    target: "AmazonSQS.SendMessage",
    input: { QueueUrl, ...message },
    deadlineMs,
  });
}
