import type { AwsCaller } from "../aws/aws-call.ts";
import type { QueueMessage } from "./enqueue.ts";
import { resultsIn } from "./send-message.ts";

export const messagesPerRequest = 10;
/** Leaves room for attributes below the SQS limit of 1,048,576. */
export const bytesPerRequest = 1_000_000;

export type SendOutcome = "sent" | "later" | "never";

/**
 * Sends up to ten messages in one request and returns their outcomes in order: `later` may succeed when sent
 * again, `never` is invalid. Repeatable.
 * @throws AwsCallError if the whole request failed
 */
export type EnqueueMany = (
  messages: readonly QueueMessage[],
  deadlineMs: number,
) => Promise<readonly SendOutcome[]>;

export function createEnqueueMany(callAws: AwsCaller, eventsQueueUrl: string): EnqueueMany {
  return async (messages, deadlineMs) => {
    const Entries = messages.map((message, index) => ({ Id: String(index), ...message }));
    const answer = await callAws({
      service: "sqs",
      target: "AmazonSQS.SendMessageBatch",
      input: { QueueUrl: eventsQueueUrl, Entries },
      deadlineMs,
      timeoutMs: requestMs,
    });
    const sent = new Set(resultsIn(answer, "Successful").map(({ Id }) => Id));
    const refused = new Set(
      resultsIn(answer, "Failed")
        .filter(isRefused)
        .map(({ Id }) => Id),
    );
    return Entries.map(({ Id }) => (sent.has(Id) ? "sent" : refused.has(Id) ? "never" : "later"));
  };
}

const requestMs = 5_000;

/** SQS also reports throttling and an unreachable KMS key as the sender's fault. */
function isRefused({ SenderFault, Code }: Readonly<Record<string, unknown>>) {
  return SenderFault === true && !/Throttl|Kms|AccessDenied/i.test(String(Code));
}
