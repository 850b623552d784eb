import { describe, expect, it } from "vitest";
import type { AwsCall } from "../../../../lib/aws/aws-call.ts";
import { createBatchRequests } from "../../../../lib/queue/lanes/batch-requests.ts";
import { arnOf, sqsRecordOf } from "./sqs-record.ts";

const urls = ["https://sqs/1/more-events.fifo", "https://sqs/1/events.fifo", "https://sqs/1/calls.fifo"];

function createWatched(answer: () => Promise<unknown> = async () => undefined) {
  const calls: AwsCall[] = [];
  const warnings: unknown[] = [];
  const log = { warn: (message: string, fields: object) => void warnings.push({ message, ...fields }) };
  const callAws = (call: AwsCall) => {
    calls.push(call);
    return answer();
  };
  return { calls, warnings, ...createBatchRequests(callAws, urls, log) };
}

const entriesOf = ({ input }: AwsCall) => input.Entries as readonly Record<string, unknown>[];
const recordsOf = (count: number) => Array.from({ length: count }, (_, index) => sqsRecordOf(index + 1));

describe("createBatchRequests", () => {
  it("sends nothing for no records", async () => {
    const { calls, deleteRecords, delayRecords } = createWatched();

    await deleteRecords([]);
    await delayRecords([], () => 1000);

    expect(calls).toEqual([]);
  });

  it("deletes each record from its queue", async () => {
    const { calls, warnings, deleteRecords } = createWatched();

    await deleteRecords(recordsOf(2));
    await deleteRecords([sqsRecordOf(1, { eventSourceARN: arnOf("calls.fifo") })]);

    expect(calls.pop()?.input.QueueUrl).toBe("https://sqs/1/calls.fifo");
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
    expect(warnings).toEqual([]);
  });

  it("hides each record for its own time, in whole seconds within SQS's limits", async () => {
    const { calls, delayRecords } = createWatched();
    const waits = [5000, 5001, -5000, 43_200_000, 43_200_001];

    await delayRecords(recordsOf(5), ({ messageId }) => waits[Number(messageId.slice(2)) - 1] ?? 0);

    const [call] = calls as [AwsCall];
    expect(call.target).toBe("AmazonSQS.ChangeMessageVisibilityBatch");
    expect(entriesOf(call)[0]).toEqual({ Id: "0", ReceiptHandle: "handle-1", VisibilityTimeout: 5 });
    const seconds = entriesOf(call).map(({ VisibilityTimeout }) => VisibilityTimeout);
    expect(seconds).toEqual([5, 6, 0, 43_200, 43_200]);
  });

  it("sends ten records per request, and continues after a failed request and logs it", async () => {
    const { calls, warnings, deleteRecords, delayRecords } = createWatched(() =>
      Promise.reject(new Error("no queue")),
    );

    await deleteRecords(recordsOf(21));
    await delayRecords(recordsOf(1), () => 0);

    expect(calls.map((call) => entriesOf(call).length)).toEqual([10, 10, 1, 1]);
    expect(calls.flatMap(entriesOf).map(({ ReceiptHandle }) => ReceiptHandle)).toEqual(
      [...recordsOf(21), ...recordsOf(1)].map(({ receiptHandle }) => receiptHandle),
    );
    expect(entriesOf(calls[1] as AwsCall).map(({ Id }) => Id)).toEqual([..."0123456789"]);
    expect(warnings).toMatchObject(
      [10, 10, 1, 1].map((events) => ({ events, cause: expect.stringMatching(/^Error at /) })),
    );
    expect(new Set(warnings.map((warning) => (warning as { message: string }).message)).size).toBe(2);
  });

  it("logs the codes of the entries that the queue refuses", async () => {
    const Failed = [{ Id: "0", Code: "ReceiptHandleIsInvalid", Message: "x" }];
    const { warnings, deleteRecords } = createWatched(async () => ({ Successful: [], Failed }));

    await deleteRecords(recordsOf(2));

    expect(warnings).toEqual([
      { message: "the queue refused a part of a batch", events: 1, codes: ["ReceiptHandleIsInvalid"] },
    ]);
  });
});
