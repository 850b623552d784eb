import { describe, expect, it } from "vitest";
import { Queue } from "../../local/cloud/queue/queue.ts";
import { failedMessageIds, toSqsRecord } from "../../local/cloud/sqs-event.ts";

describe("failedMessageIds", () => {
  const ids = ["m1", "m2"];

  it.each([null, undefined, {}, { batchItemFailures: [] }, { batchItemFailures: null }])(
    "reads %j as success of all",
    (answer) => {
      expect(failedMessageIds(answer, ids)).toEqual([]);
    },
  );

  it("returns the failed items once", () => {
    const batchItemFailures = [{ itemIdentifier: "m2" }, { itemIdentifier: "m2" }];

    expect(failedMessageIds({ batchItemFailures }, ids)).toEqual(["m2"]);
  });

  it.each([
    "done",
    { batchItemFailures: [{ itemIdentifier: "" }] },
    { batchItemFailures: [{ itemIdentifier: null }] },
    { batchItemFailures: [{ id: "m1" }] },
    { batchItemFailures: [{ itemIdentifier: "someone else's" }] },
  ])("reads %j as failure of all", (answer) => {
    expect(failedMessageIds(answer, ids)).toEqual(ids);
  });
});

it("toSqsRecord writes binary attributes as base64", () => {
  const queue = new Queue({ fifo: false });
  queue.send({ body: "x", attributes: { raw: { DataType: "Binary", BinaryValue: "/wA=" } } });
  const [message = expect.unreachable()] = queue.receive();

  const record = toSqsRecord(message, { queueArn: "arn", region: "eu-central-1" });

  expect(record.messageAttributes.raw).toMatchObject({ dataType: "Binary", binaryValue: "/wA=" });
});
