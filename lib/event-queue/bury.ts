import type { AwsCaller } from "../aws/aws-call.ts";
import { toMessageText } from "./message-text.ts";

/** A message of the events queue that failed for the last time. */
export interface BuriedMessage {
  readonly messageId: string;
  readonly messageBody: string;
  readonly lane: string;
  /** Why the last attempt failed. */
  readonly cause: string;
}

/** After so many attempts an event is buried; serverless.yml's `maxReceiveCount` says the same for functions that die. */
export const maxAttempts = 5;

/** A message attribute may be long, but a cause is for reading. */
const maxCauseCharacters = 1000;

/**
 * Makes a function that moves a message to the dead-letter queue, with the cause beside it as an attribute.
 * May be repeated: the queue drops what it got in the last five minutes.
 * @throws AwsCallError when the queue did not take it; SQS itself then moves it after the last attempt
 */
export function createBury(callAws: AwsCaller, deadLetterQueueUrl: string) {
  return async ({ messageId, messageBody, lane, cause }: BuriedMessage): Promise<void> => {
    await callAws({
      service: "sqs",
      target: "AmazonSQS.SendMessage",
      input: {
        QueueUrl: deadLetterQueueUrl,
        MessageBody: messageBody,
        MessageGroupId: lane,
        MessageDeduplicationId: messageId,
        MessageAttributes: {
          Cause: { DataType: "String", StringValue: toMessageText(cause.slice(0, maxCauseCharacters)) },
        },
      },
    });
  };
}
