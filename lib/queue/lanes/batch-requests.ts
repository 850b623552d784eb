import type { SQSRecord } from "aws-lambda";
import type { AwsCaller } from "../../aws/aws-call.ts";
import { inParts } from "../../base/batching.ts";
import { errorFields } from "../../base/describe-error.ts";
import { isRecord, readPath } from "../../base/json.ts";
import type { Log } from "../../base/log.ts";

export type BatchRequests = ReturnType<typeof createBatchRequests>;

/** SQS limit per request. */
const entriesPerRequest = 10;
const longestSeconds = 43_200;

export function createBatchRequests(
  callAws: AwsCaller,
  queueUrls: readonly string[],
  log: Pick<Log, "warn">,
) {
  const ask = async (
    operation: string,
    whenFailed: string,
    records: readonly SQSRecord[],
    more: (record: SQSRecord) => object,
  ): Promise<void> => {
    for (const share of inParts(records, entriesPerRequest)) {
      const queueName = share[0]?.eventSourceARN.split(":").at(-1);
      const QueueUrl = queueUrls.find((url) => url.endsWith(`/${queueName}`));
      const Entries = share.map((record, index) => ({
        Id: String(index),
        ReceiptHandle: record.receiptHandle,
        ...more(record),
      }));
      const target = `AmazonSQS.${operation}`;
      await callAws({ service: "sqs", target, input: { QueueUrl, Entries } }).then(
        (answer) => warnOfFailed(answer, log),
        (error: unknown) => log.warn(whenFailed, { events: share.length, ...errorFields(error) }),
      );
    }
  };

  return {
    deleteRecords: (records: readonly SQSRecord[]) => {
      const whenFailed = "could not delete handled events early; SQS deletes them after the batch";
      return ask("DeleteMessageBatch", whenFailed, records, () => ({}));
    },
    /** If the queue cannot be reached, records stay hidden for its visibility timeout. */
    delayRecords: (records: readonly SQSRecord[], waitMs: (record: SQSRecord) => number) => {
      const whenFailed = "could not hide events; they come back after the visibility timeout";
      return ask("ChangeMessageVisibilityBatch", whenFailed, records, (record) => ({
        VisibilityTimeout: Math.max(0, Math.min(Math.ceil(waitMs(record) / 1000), longestSeconds)),
      }));
    },
  };
}

function warnOfFailed(answer: unknown, log: Pick<Log, "warn">): void {
  const failed = isRecord(answer) && Array.isArray(answer.Failed) ? answer.Failed : [];
  if (failed.length === 0) return;
  const codes = failed.map((entry) => readPath(entry, "Code"));
  log.warn("the queue refused a part of a batch", { events: failed.length, codes: [...new Set(codes)] });
}

/** A finished lane waits this long for others, to be deleted or returned in one request. */
const earlyMs = 500;

/** Acts for finished lanes before the slowest lane of a batch ends. */
export function createEarlyEnds(sleep: (ms: number, signal: AbortSignal) => Promise<void>) {
  const answered = new AbortController();
  const early: Promise<void>[] = [];
  return {
    add: (act: () => Promise<void>): void => {
      early.push(sleep(earlyMs, answered.signal).then(act, () => undefined));
    },
    /** Acts for no other lane, and waits for those that were begun. */
    close: async (): Promise<void> => {
      answered.abort();
      await Promise.all(early);
    },
  };
}

export function sentMsOf(record: SQSRecord | undefined): number {
  return Number(record?.attributes.SentTimestamp);
}

export function receiveCountOf(record: SQSRecord | undefined): number {
  return Number(record?.attributes.ApproximateReceiveCount ?? 1);
}
