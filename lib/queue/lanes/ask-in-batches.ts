import type { SQSRecord } from "aws-lambda";
import type { AwsCaller } from "../../aws/aws-call.ts";
import { errorFields } from "../../base/error-fields.ts";
import { isRecord } from "../../base/json.ts";
import type { Log } from "../../base/log.ts";

/** What is asked of a record's queue. */
export interface BatchRequest {
  /** The operation with its service prefix. */
  readonly target: string;
  /** What stands in a record's entry beside its id and receipt handle. */
  readonly entryOf?: (record: SQSRecord) => object;
  /** What the log says where the queue cannot be asked. */
  readonly whenFailed: string;
}

/** Asks something of the queue that records came from, for all of them. Never throws: what failed is logged. */
export type AskInBatches = (records: readonly SQSRecord[], request: BatchRequest) => Promise<void>;

/** SQS takes ten entries in one request. */
const entriesPerRequest = 10;

/** @param queueUrls the queues that records may come from */
export function createAskInBatches(
  callAws: AwsCaller,
  queueUrls: readonly string[],
  log: Pick<Log, "warn">,
): AskInBatches {
  return async (records, { target, entryOf, whenFailed }) => {
    for (let start = 0; start < records.length; start += entriesPerRequest) {
      const share = records.slice(start, start + entriesPerRequest);
      const queueName = share[0]?.eventSourceARN.split(":").at(-1);
      const QueueUrl = queueUrls.find((url) => url.endsWith(`/${queueName}`));
      const Entries = share.map((record, index) => ({
        Id: String(index),
        ReceiptHandle: record.receiptHandle,
        ...entryOf?.(record),
      }));
      await callAws({ service: "sqs", target, input: { QueueUrl, Entries } }).then(
        (answer) => warnOfFailed(answer, log),
        (error: unknown) => log.warn(whenFailed, { events: share.length, ...errorFields(error) }),
      );
    }
  };
}

/** Tells of the entries that SQS answered with 200 and refused all the same: how many, and why. */
function warnOfFailed(answer: unknown, log: Pick<Log, "warn">): void {
  const failed = isRecord(answer) && Array.isArray(answer.Failed) ? answer.Failed : [];
  if (failed.length === 0) return;
  const codes = failed.map((entry) => (isRecord(entry) ? entry.Code : undefined));
  log.warn("the queue refused a part of a batch", { events: failed.length, codes: [...new Set(codes)] });
}
