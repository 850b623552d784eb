import type { AwsCaller } from "../aws/aws-call.ts";
import { isRecord } from "../base/json.ts";

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

/**
 * Returns the results of a batch.
 * @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessageBatch.html
 */
export function resultsIn(
  answer: unknown,
  name: "Successful" | "Failed",
): readonly Readonly<Record<string, unknown>>[] {
  const list = isRecord(answer) ? answer[name] : undefined;
  return Array.isArray(list) ? list.filter(isRecord) : [];
}
