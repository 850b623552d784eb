import * as z from "zod/mini";
import type { AwsCaller } from "../aws/aws-call.ts";
import type { QueueMessage } from "./enqueue.ts";

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
    const { Successful = [], Failed = [] } = answerSchema.parse(answer);
    const sent = new Set(Successful.map(({ Id }) => Id));
    const refused = new Set(Failed.filter(isRefused).map(({ Id }) => Id));
    return Entries.map(({ Id }) => (sent.has(Id) ? "sent" : refused.has(Id) ? "never" : "later"));
  };
}

const requestMs = 5_000;

interface Failed {
  readonly SenderFault: boolean;
  readonly Code?: string | undefined;
}

/** SQS also reports throttling and an unreachable KMS key as the sender's fault. */
function isRefused({ SenderFault, Code = "" }: Failed): boolean {
  return SenderFault && !/Throttl|Kms|AccessDenied/i.test(Code);
}

const answerSchema = z.object({
  Successful: z.optional(z.array(z.object({ Id: z.string() }))),
  Failed: z.optional(
    z.array(z.object({ Id: z.string(), SenderFault: z.boolean(), Code: z.optional(z.string()) })),
  ),
});
