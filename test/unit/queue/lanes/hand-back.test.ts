import { describe, expect, it } from "vitest";
import type { AwsCall } from "../../../../lib/aws/aws-call.ts";
import { createHandBack } from "../../../../lib/queue/lanes/hand-back.ts";
import { arnOf, sqsRecordOf } from "./sqs-record.ts";

const urls = ["https://sqs/1/more-events.fifo", "https://sqs/1/events.fifo", "https://sqs/1/tickets.fifo"];

function createWatched(answer: () => Promise<unknown> = async () => undefined) {
  const calls: AwsCall[] = [];
  const warnings: unknown[] = [];
  const log = { warn: (message: string, fields: object) => void warnings.push({ message, ...fields }) };
  const handBack = createHandBack(
    (call) => {
      calls.push(call);
      return answer();
    },
    urls,
    log,
  );
  return { calls, warnings, handBack };
}

const entriesOf = ({ input }: AwsCall) => input.Entries as readonly Record<string, unknown>[];

describe("createHandBack", () => {
  it("asks nothing for no records", async () => {
    const { calls, handBack } = createWatched();

    await handBack([], () => 1000);

    expect(calls).toEqual([]);
  });

  it("hides each record in its own queue for its own time, in whole seconds and never shorter", async () => {
    const { calls, handBack } = createWatched();
    const records = [1, 2, 3].map((number) => sqsRecordOf(number));

    await handBack(records, ({ messageId }) => ({ "m-1": 5000, "m-2": 5001 })[messageId] ?? 1);

    expect(calls).toEqual([
      {
        service: "sqs",
        target: "AmazonSQS.ChangeMessageVisibilityBatch",
        input: {
          QueueUrl: "https://sqs/1/events.fifo",
          Entries: [
            { Id: "0", ReceiptHandle: "handle-1", VisibilityTimeout: 5 },
            { Id: "1", ReceiptHandle: "handle-2", VisibilityTimeout: 6 },
            { Id: "2", ReceiptHandle: "handle-3", VisibilityTimeout: 1 },
          ],
        },
      },
    ]);
  });

  it("finds the queue by its whole name", async () => {
    const { calls, handBack } = createWatched();

    await handBack([sqsRecordOf(1, { eventSourceARN: arnOf("tickets.fifo") })], () => 0);

    expect(calls[0]?.input.QueueUrl).toBe("https://sqs/1/tickets.fifo");
  });

  it.each([
    ["a time that is over", -5000, 0],
    ["12 hours", 43_200_000, 43_200],
    ["more than SQS allows", 43_200_001, 43_200],
  ])("keeps to what SQS takes: %s", async (_case, waitMs, seconds) => {
    const { calls, handBack } = createWatched();

    await handBack([sqsRecordOf(1)], () => waitMs);

    expect(calls.flatMap(entriesOf)).toMatchObject([{ VisibilityTimeout: seconds }]);
  });

  it("asks for ten records at a time, each once", async () => {
    const { calls, handBack } = createWatched();
    const records = Array.from({ length: 21 }, (_, index) => sqsRecordOf(index));

    await handBack(records, () => 0);

    expect(calls.map((call) => entriesOf(call).length)).toEqual([10, 10, 1]);
    expect(calls.flatMap(entriesOf).map(({ ReceiptHandle }) => ReceiptHandle)).toEqual(
      records.map(({ receiptHandle }) => receiptHandle),
    );
    expect(entriesOf(calls[1] as AwsCall).map(({ Id }) => Id)).toEqual([..."0123456789"]);
  });

  it("goes on where the queue cannot be told, and says so", async () => {
    const { calls, warnings, handBack } = createWatched(() => Promise.reject(new Error("no queue")));

    await handBack(
      Array.from({ length: 11 }, (_, index) => sqsRecordOf(index)),
      () => 0,
    );

    expect(calls).toHaveLength(2);
    expect(warnings).toMatchObject([
      { events: 10, cause: "Error: no queue" },
      { events: 1, cause: "Error: no queue" },
    ]);
  });

  it("says what the queue refuses of a batch", async () => {
    const Failed = [{ Id: "0", Code: "ReceiptHandleIsInvalid", Message: "x" }];
    const { warnings, handBack } = createWatched(async () => ({ Successful: [], Failed }));

    await handBack([sqsRecordOf(1)], () => 0);

    expect(warnings).toEqual([
      { message: "the queue refused a part of a batch", events: 1, codes: ["ReceiptHandleIsInvalid"] },
    ]);
  });
});
