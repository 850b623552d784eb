import * as z from "zod/mini";
import type { AwsCaller } from "../../lib/aws/aws-call.ts";

/** About how many messages a queue has. */
export interface QueueCounts {
  /** Can be had now. */
  readonly waiting: number;
  /** In somebody's hands. */
  readonly taken: number;
  /** Cannot be had yet. */
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
 * Asks a queue how many messages it has. SQS counts approximately: within a minute of the last change it is right.
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

/** All of a queue's messages, wherever they are. */
export async function readQueueDepth(callAws: AwsCaller, queueUrl: string): Promise<number> {
  const { waiting, taken, delayed } = await readQueueCounts(callAws, queueUrl);
  return waiting + taken + delayed;
}

/** Says how many a queue had and has. */
export function toldDepths(before: number, after: number | undefined): string {
  const now = after === undefined ? "could not be asked how many it has now" : `has about ${after} now`;
  return `  the queue had about ${before}, and ${now}`;
}
