import type { SQSRecord } from "aws-lambda";
import type { AwsCaller } from "../aws/aws-call.ts";
import { errorFields } from "../error-fields.ts";
import type { Log } from "../log.ts";
import { warnOfFailed } from "./warn-of-failed.ts";

/** SQS takes ten entries in one request. */
const entriesPerRequest = 10;

/**
 * Takes handled records off their queue before the function's answer does, so that their lane goes on meanwhile.
 * Never throws: what is not deleted here, the answer deletes. May be repeated.
 */
export type DeleteRecords = (records: readonly SQSRecord[]) => Promise<void>;

/** @param queueUrls the queues that records may come from */
export function createDeleteRecords(
  callAws: AwsCaller,
  queueUrls: readonly string[],
  log: Pick<Log, "warn">,
): DeleteRecords {
  return async (records) => {
    for (let start = 0; start < records.length; start += entriesPerRequest) {
      const share = records.slice(start, start + entriesPerRequest);
      const queueName = share[0]?.eventSourceARN.split(":").at(-1);
      await callAws({
        service: "sqs",
        target: "AmazonSQS.DeleteMessageBatch",
        input: {
          QueueUrl: queueUrls.find((url) => url.endsWith(`/${queueName}`)),
          Entries: share.map(({ receiptHandle }, index) => ({
            Id: String(index),
            ReceiptHandle: receiptHandle,
          })),
        },
      }).then(
        (answer) => warnOfFailed(answer, log),
        (error: unknown) =>
          log.warn("could not delete handled events early; the answer does it", {
            events: share.length,
            ...errorFields(error),
          }),
      );
    }
  };
}
