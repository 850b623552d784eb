import { describe, expect, it } from "vitest";
import { failedMessageIds, toSqsRecord } from "../../local/cloud/sqs-event.ts";

describe("failedMessageIds", () => {
  const ids = ["m1", "m2"];

  it.each([null, undefined, {}, { batchItemFailures: [] }, { batchItemFailures: null }])(
    "takes %j as success of all",
    (answer) => {
      expect(failedMessageIds(answer, ids)).toEqual([]);
    },
  );

  it("names the failed items once", () => {
    const batchItemFailures = [{ itemIdentifier: "m2" }, { itemIdentifier: "m2" }];

    expect(failedMessageIds({ batchItemFailures }, ids)).toEqual(["m2"]);
  });

  it.each([
    "done",
    { batchItemFailures: [{ itemIdentifier: "" }] },
    { batchItemFailures: [{ itemIdentifier: null }] },
    { batchItemFailures: [{ id: "m1" }] },
    { batchItemFailures: [{ itemIdentifier: "someone else's" }] },
  ])("takes %j as failure of all", (answer) => {
    expect(failedMessageIds(answer, ids)).toEqual(ids);
  });
});

it("toSqsRecord writes binary attributes as base64", () => {
  const MessageAttributes = { raw: { DataType: "Binary", BinaryValue: Uint8Array.from([255, 0]) } };

  const record = toSqsRecord(
    { MessageId: "m1", MessageAttributes },
    { queueArn: "arn", region: "eu-central-1" },
  );

  expect(record.messageAttributes.raw).toMatchObject({ dataType: "Binary", binaryValue: "/wA=" });
});
