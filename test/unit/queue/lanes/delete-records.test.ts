import { describe, expect, it } from "vitest";
import type { AwsCall } from "../../../../lib/aws/aws-call.ts";
import { createDeleteRecords } from "../../../../lib/queue/lanes/delete-records.ts";
import { arnOf, sqsRecordOf } from "./sqs-record.ts";

const urls = ["https://sqs/1/more-events.fifo", "https://sqs/1/events.fifo", "https://sqs/1/calls.fifo"];

function createWatched(answer: () => Promise<unknown> = async () => undefined) {
  const calls: AwsCall[] = [];
  const warnings: unknown[] = [];
  const log = { warn: (message: string, fields: object) => void warnings.push({ message, ...fields }) };
  const deleteRecords = createDeleteRecords(
    (call) => {
      calls.push(call);
      return answer();
    },
    urls,
    log,
  );
  return { calls, warnings, deleteRecords };
}

const entriesOf = ({ input }: AwsCall) => input.Entries as readonly Record<string, unknown>[];
const recordsOf = (count: number) => Array.from({ length: count }, (_, index) => sqsRecordOf(index + 1));

describe("createDeleteRecords", () => {
  it("asks nothing for no records", async () => {
    const { calls, deleteRecords } = createWatched();

    await deleteRecords([]);

    expect(calls).toEqual([]);
  });

  it("takes each record off its queue", async () => {
    const { calls, deleteRecords } = createWatched();

    await deleteRecords(recordsOf(2));

    expect(calls).toEqual([
      {
        service: "sqs",
        target: "AmazonSQS.DeleteMessageBatch",
        input: {
          QueueUrl: "https://sqs/1/events.fifo",
          Entries: [
            { Id: "0", ReceiptHandle: "handle-1" },
            { Id: "1", ReceiptHandle: "handle-2" },
          ],
        },
      },
    ]);
  });

  it("finds the queue by its whole name", async () => {
    const { calls, deleteRecords } = createWatched();

    await deleteRecords([sqsRecordOf(1, { eventSourceARN: arnOf("calls.fifo") })]);

    expect(calls[0]?.input.QueueUrl).toBe("https://sqs/1/calls.fifo");
  });

  it("asks for ten at a time, and goes on where a request fails", async () => {
    const { calls, deleteRecords } = createWatched(() => Promise.reject(new Error("no queue")));

    await deleteRecords(recordsOf(21));

    expect(calls.map((call) => entriesOf(call).length)).toEqual([10, 10, 1]);
    expect(calls.flatMap(entriesOf).map(({ ReceiptHandle }) => ReceiptHandle)).toEqual(
      recordsOf(21).map(({ receiptHandle }) => receiptHandle),
    );
  });

  it("says what it could not delete, and why", async () => {
    const { warnings, deleteRecords } = createWatched(() => Promise.reject(new Error("no queue")));

    await deleteRecords(recordsOf(3));

    expect(warnings).toMatchObject([{ events: 3, cause: "Error: no queue" }]);
  });

  it("says what the queue refuses of a batch", async () => {
    const Failed = [{ Id: "0", Code: "ReceiptHandleIsInvalid", Message: "x" }];
    const { warnings, deleteRecords } = createWatched(async () => ({ Successful: [], Failed }));

    await deleteRecords(recordsOf(2));

    expect(warnings).toMatchObject([{ events: 1, codes: ["ReceiptHandleIsInvalid"] }]);
  });
});
