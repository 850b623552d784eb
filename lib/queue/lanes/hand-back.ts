import type { SQSRecord } from "aws-lambda";
import type { AwsCaller } from "../../aws/aws-call.ts";
import type { Log } from "../../base/log.ts";
import { createAskInBatches } from "./ask-in-batches.ts";

/** SQS's maximum visibility timeout: 12 hours. */
const longestSeconds = 43_200;

/**
 * Hides records for a while; if the queue cannot be reached, they stay hidden for its visibility timeout. May
 * be repeated. Never throws.
 * @param waitMs per record
 */
export type HandBack = (
  records: readonly SQSRecord[],
  waitMs: (record: SQSRecord) => number,
) => Promise<void>;

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
