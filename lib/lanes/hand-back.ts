import type { SQSRecord } from "aws-lambda";
import type { AwsCaller } from "../aws/aws-call.ts";
import { errorFields } from "../error-fields.ts";
import type { Log } from "../log.ts";
import { warnOfFailed } from "./warn-of-failed.ts";

/** SQS takes ten entries in one request. */
const entriesPerRequest = 10;
/** The longest that SQS hides a message: 12 hours. */
const longestSeconds = 43_200;

/**
 * Hides records from the queue's readers for a while; where the queue cannot be told, they stay hidden for its
 * visibility timeout. May be repeated. Never throws.
 * @param waitMs how long each record is hidden
 */
export type HandBack = (
  records: readonly SQSRecord[],
  waitMs: (record: SQSRecord) => number,
) => Promise<void>;

/** @param queueUrls the queues that records may come from */
export function createHandBack(
  callAws: AwsCaller,
  queueUrls: readonly string[],
  log: Pick<Log, "warn">,
): HandBack {
  return async (records, waitMs) => {
    for (let start = 0; start < records.length; start += entriesPerRequest) {
      const share = records.slice(start, start + entriesPerRequest);
      const queueName = share[0]?.eventSourceARN.split(":").at(-1);
      await callAws({
        service: "sqs",
        target: "AmazonSQS.ChangeMessageVisibilityBatch",
        input: {
          QueueUrl: queueUrls.find((url) => url.endsWith(`/${queueName}`)),
          Entries: share.map((record, index) => ({
            Id: String(index),
            ReceiptHandle: record.receiptHandle,
            VisibilityTimeout: Math.max(0, Math.min(Math.ceil(waitMs(record) / 1000), longestSeconds)),
          })),
        },
      }).then(
        (answer) => warnOfFailed(answer, log),
        (error: unknown) =>
          log.warn("could not hide events for a while; they come back after the visibility timeout", {
            events: share.length,
            ...errorFields(error),
          }),
      );
    }
  };
}
