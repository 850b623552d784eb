import { describe, expect, it } from "vitest";
import { isLaneSource, laneNameOf, laneOf, toLaneRecord } from "../../../../lib/queue/lanes/lane-record.ts";
import { sqsRecordOf } from "./sqs-record.ts";

const text = (stringValue: string) => ({ stringValue, dataType: "String" });

describe("toLaneRecord", () => {
  it("keeps the message and its replay attributes", () => {
    const record = toLaneRecord(
      sqsRecordOf(7, { messageAttributes: { ReplayedAt: text("1234"), Finished: text("a b\nc d") } }),
    );

    expect(record).toEqual({
      messageId: "m-7",
      messageBody: sqsRecordOf(7).body,
      sequence: "7".padStart(40, "0"),
      replayedAt: 1234,
      finished: ["a b", "c d"],
    });
  });

  it.each([
    ["no attributes", {}],
    ["an invalid time", { ReplayedAt: text("soon") }],
    ["a time of 0", { ReplayedAt: text("0") }],
    ["an empty list of finished steps", { Finished: text("") }],
  ])("reads no replay from %s", (_case, messageAttributes) => {
    expect(Object.keys(toLaneRecord(sqsRecordOf(7, { messageAttributes })))).toEqual([
      "messageId",
      "messageBody",
      "sequence",
    ]);
  });

  it("keeps that a replay ignores the age", () => {
    const messageAttributes = { IgnoresAge: text("yes") };

    expect(toLaneRecord(sqsRecordOf(7, { messageAttributes }))).toHaveProperty("ignoresAge", true);
  });

  it("sorts sequences as text in the queue's numeric order, for any length", () => {
    const numbers = ["9", "18874962120047858432", "100", "118874962120047858432"];
    const sequences = numbers.map(
      (SequenceNumber) => toLaneRecord(sqsRecordOf(1, { attributes: { SequenceNumber } })).sequence,
    );

    const sorted = sequences.toSorted();

    expect(sorted.map((one) => BigInt(one))).toEqual([
      9n,
      100n,
      18874962120047858432n,
      118874962120047858432n,
    ]);
  });

  it("sorts a message without a sequence number first", () => {
    const { sequence } = toLaneRecord(sqsRecordOf(1, { attributes: { SequenceNumber: undefined } }));

    expect(sequence).toBe("0".repeat(40));
  });
});

it("isLaneSource accepts events and calls, and laneNameOf shortens a lane's group", () => {
  expect(["events", "calls", "tickets", "", undefined].map(isLaneSource)).toEqual([
    ...[true, true],
    ...[false, false, false],
  ]);
  expect(laneNameOf(laneOf("calls", "0123456789abcdef0123").id)).toBe("0123456789abcdef");
  expect(laneNameOf("0123456789abcdef0123")).toBe("0123456789abcdef");
});
