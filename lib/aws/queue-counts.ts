import * as z from "zod/mini";
import type { AwsCaller } from "./aws-call.ts";

/** Approximate numbers. */
interface QueueCounts {
  readonly waiting: number;
  /** Received and not yet deleted. */
  readonly taken: number;
  readonly delayed: number;
}

const answerSchema = z.object({
  Attributes: z.object({
    ApproximateNumberOfMessages: z.string(),
    ApproximateNumberOfMessagesNotVisible: z.string(),
    ApproximateNumberOfMessagesDelayed: z.string(),
  }),
});

/**
 * Reads the counts, which are right within a minute of the last change.
 * @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_GetQueueAttributes.html
 * @throws AwsCallError
 */
export async function readQueueCounts(callAws: AwsCaller, queueUrl: string): Promise<QueueCounts> {
  const answer = await callAws({
    service: "sqs",
    target: "AmazonSQS.GetQueueAttributes",
    input: { QueueUrl: queueUrl, AttributeNames: Object.keys(answerSchema.shape.Attributes.shape) },
  });
  const { Attributes } = z.parse(answerSchema, answer);
  return {
    waiting: Number(Attributes.ApproximateNumberOfMessages),
    taken: Number(Attributes.ApproximateNumberOfMessagesNotVisible),
    delayed: Number(Attributes.ApproximateNumberOfMessagesDelayed),
  };
}

export async function readQueueDepth(callAws: AwsCaller, queueUrl: string): Promise<number> {
  const { waiting, taken, delayed } = await readQueueCounts(callAws, queueUrl);
  return waiting + taken + delayed;
}
