import { describe, expect, it } from "vitest";
import { MessageTooLargeError, maxMessageBytes, toMessageBody } from "../../../lib/queue/message-text.ts";

/** A message whose body has as many bytes as wanted; "é" has two, so that characters are not counted for bytes. */
const messageOf = (bytes: number) => ({ a: `é${"x".repeat(bytes - '{"a":"é"}'.length - 1)}` });

describe("toMessageBody", () => {
  it("writes a body of exactly the size that a queue takes", () => {
    expect(Buffer.byteLength(toMessageBody(messageOf(maxMessageBytes)))).toBe(1_048_576 - 16_384);
  });

  it("refuses a body that has one byte more", () => {
    expect(() => toMessageBody(messageOf(maxMessageBytes + 1))).toThrow(MessageTooLargeError);
    expect(() => toMessageBody(messageOf(maxMessageBytes + 1))).toThrow(
      "Could not write a queue message: it has 1032193 bytes, and a queue takes 1032192.",
    );
  });
});
