import type { SQSBatchResponse, SQSRecord } from "aws-lambda";
import type { AwsCaller } from "../aws/aws-call.ts";

/**
 * How long a failed event waits for its next attempt, in seconds, after its first, second, … failure.
 * Until then its lane waits too; without this it would be the queue's visibility timeout each time.
 */
const delaysSeconds = [5, 20, 60, 120];

/**
 * Makes a function that puts the failed records of a batch off for a while, longer after each failure.
 * The failed records of one lane wait equally long, since a lane with one hidden record hands out none;
 * other lanes of the batch are no reason to wait.
 * If the queue cannot be told, they wait for its visibility timeout. May be repeated.
 * @param queueUrls the queues that the records may come from; a batch comes from one of them
 */
export function createPutOff(callAws: AwsCaller, queueUrls: readonly string[]) {
  return async (records: readonly SQSRecord[], { batchItemFailures }: SQSBatchResponse): Promise<void> => {
    const failedIds = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
    const failed = records.filter(({ messageId }) => failedIds.has(messageId));
    if (failed.length === 0) return;
    const attempts = new Map<string, number>();
    for (const record of failed) {
      const attempt = Number(record.attributes.ApproximateReceiveCount);
      attempts.set(laneOf(record), Math.max(attempt, attempts.get(laneOf(record)) ?? 1));
    }
    const queueName = failed[0]?.eventSourceARN.split(":").at(-1);
    await callAws({
      service: "sqs",
      target: "AmazonSQS.ChangeMessageVisibilityBatch",
      input: {
        QueueUrl: queueUrls.find((url) => url.endsWith(`/${queueName}`)),
        Entries: failed.map((record, index) => ({
          Id: String(index),
          ReceiptHandle: record.receiptHandle,
          VisibilityTimeout: delaySecondsAfter(attempts.get(laneOf(record)) ?? 1),
        })),
      },
    }).catch(() => undefined);
  };
}

/** A queue without message groups has no order to keep: every record is its own lane. */
function laneOf({ attributes, messageId }: SQSRecord): string {
  return attributes.MessageGroupId ?? messageId;
}

function delaySecondsAfter(attempt: number): number | undefined {
  return delaysSeconds[attempt - 1] ?? delaysSeconds.at(-1);
}
