import type { SQSBatchResponse, SQSRecord } from "aws-lambda";
import type { AwsCaller } from "../aws-call.ts";

/**
 * How long a failed event waits for its next attempt, in seconds, after its first, second, … failure.
 * Until then its lane waits too; without this it would be the queue's visibility timeout each time.
 */
const delaysSeconds = [5, 20, 60, 120];

/**
 * Makes a function that puts the failed records of a batch off for a while, longer after each failure.
 * All records of the batch that failed wait equally long, since a lane with one hidden record hands out none.
 * If the queue cannot be told, they wait for its visibility timeout. May be repeated.
 * @param queueUrls the queues that the records may come from; a batch comes from one of them
 */
export function createPutOff(callAws: AwsCaller, queueUrls: readonly string[]) {
  return async (records: readonly SQSRecord[], { batchItemFailures }: SQSBatchResponse): Promise<void> => {
    const failedIds = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
    const failed = records.filter(({ messageId }) => failedIds.has(messageId));
    if (failed.length === 0) return;
    const attempt = Math.max(...failed.map(({ attributes }) => Number(attributes.ApproximateReceiveCount)));
    const queueName = failed[0]?.eventSourceARN.split(":").at(-1);
    const delaySeconds = delaysSeconds[attempt - 1] ?? delaysSeconds.at(-1);
    await callAws({
      service: "sqs",
      target: "AmazonSQS.ChangeMessageVisibilityBatch",
      input: {
        QueueUrl: queueUrls.find((url) => url.endsWith(`/${queueName}`)),
        Entries: failed.map(({ receiptHandle }, index) => ({
          Id: String(index),
          ReceiptHandle: receiptHandle,
          VisibilityTimeout: delaySeconds,
        })),
      },
    }).catch(() => undefined);
  };
}
