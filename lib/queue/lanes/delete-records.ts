import type { SQSRecord } from "aws-lambda";
import type { AwsCaller } from "../../aws/aws-call.ts";
import type { Log } from "../../base/log.ts";
import { createAskInBatches } from "./ask-in-batches.ts";

/**
 * Deletes handled records before the function returns, so that their lanes continue. Never throws: the
 * function's result deletes the rest. May be repeated.
 */
export type DeleteRecords = (records: readonly SQSRecord[]) => Promise<void>;

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
