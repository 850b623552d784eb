import type { SQSRecord } from "aws-lambda";
import type { AwsCaller } from "../../aws/aws-call.ts";
import { errorFields } from "../../base/error-fields.ts";
import { isRecord } from "../../base/json.ts";
import type { Log } from "../../base/log.ts";

export interface BatchRequest {
  /** The operation with its service prefix. */
  readonly target: string;
  /** Fields of a record's entry besides its id and receipt handle. */
  readonly entryOf?: (record: SQSRecord) => object;
  /** The log message if the queue cannot be reached. */
  readonly whenFailed: string;
}

/** Runs a batch operation for records on their queue. Never throws: failures are logged. */
export type AskInBatches = (records: readonly SQSRecord[], request: BatchRequest) => Promise<void>;

/** SQS limit per request. */
const entriesPerRequest = 10;

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

/** Logs the number and reasons of entries that SQS rejected in a response with status 200. */
function warnOfFailed(answer: unknown, log: Pick<Log, "warn">): void {
  const failed = isRecord(answer) && Array.isArray(answer.Failed) ? answer.Failed : [];
  if (failed.length === 0) return;
  const codes = failed.map((entry) => (isRecord(entry) ? entry.Code : undefined));
  log.warn("the queue refused a part of a batch", { events: failed.length, codes: [...new Set(codes)] });
}
