import type { SQSRecord } from "aws-lambda";
import type { AwsCaller } from "../../aws/aws-call.ts";
import type { Log } from "../../base/log.ts";
import { createAskInBatches } from "./ask-in-batches.ts";

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
  const askInBatches = createAskInBatches(callAws, queueUrls, log);
  return (records) =>
    askInBatches(records, {
      target: "AmazonSQS.DeleteMessageBatch",
      whenFailed: "could not delete handled events early; the answer does it",
    });
}
