import type { SQSRecord } from "aws-lambda";
import type { AwsCaller } from "../../aws/aws-call.ts";
import type { Log } from "../../base/log.ts";
import { createAskInBatches } from "./ask-in-batches.ts";

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
  const askInBatches = createAskInBatches(callAws, queueUrls, log);
  return (records, waitMs) =>
    askInBatches(records, {
      target: "AmazonSQS.ChangeMessageVisibilityBatch",
      entryOf: (record) => ({
        VisibilityTimeout: Math.max(0, Math.min(Math.ceil(waitMs(record) / 1000), longestSeconds)),
      }),
      whenFailed: "could not hide events for a while; they come back after the visibility timeout",
    });
}
