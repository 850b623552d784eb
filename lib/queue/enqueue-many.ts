import * as z from "zod/mini";
import type { AwsCaller } from "../aws/aws-call.ts";
import type { QueueMessage } from "./enqueue.ts";

/** SQS takes ten messages in one request, and as many bytes together as in one message. */
export const messagesPerRequest = 10;
/** Less than the 1,048,576 that a request may have, for the attributes' sake. */
export const bytesPerRequest = 1_000_000;

/** What became of one message of a request. */
export type SendOutcome = "sent" | "later" | "never";

/**
 * Sends up to ten messages to the events queue in one request, and tells of each, in their order, what became of it:
 * `later` may succeed when it is sent again, `never` was refused for what it is. May be repeated, as `Enqueue`.
 * @throws AwsCallError when the queue gave no answer or refused the request as a whole
 */
export type EnqueueMany = (
  messages: readonly QueueMessage[],
  deadlineMs: number,
) => Promise<readonly SendOutcome[]>;

/** @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessageBatch.html */
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
    const { Successful = [], Failed = [] } = answerSchema.parse(answer);
    const sent = new Set(Successful.map(({ Id }) => Id));
    const refused = new Set(Failed.filter(isRefused).map(({ Id }) => Id));
    return Entries.map(({ Id }) => (sent.has(Id) ? "sent" : refused.has(Id) ? "never" : "later"));
  };
}

/** Nobody waits for the answer as the platform waits for the receiver's, and a request may have a megabyte. */
const requestMs = 5_000;

interface Failed {
  readonly SenderFault: boolean;
  readonly Code?: string | undefined;
}

/** To ask too often, or a queue's key that is out of reach, is the sender's fault, too, and no fault of the message. */
function isRefused({ SenderFault, Code = "" }: Failed): boolean {
  return SenderFault && !/Throttl|Kms|AccessDenied/i.test(Code);
}

const answerSchema = z.object({
  Successful: z.optional(z.array(z.object({ Id: z.string() }))),
  Failed: z.optional(
    z.array(z.object({ Id: z.string(), SenderFault: z.boolean(), Code: z.optional(z.string()) })),
  ),
});
