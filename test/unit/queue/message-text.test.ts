import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { maxMessageBytes, toMessageBody, toMessageText } from "../../../lib/queue/queued-event.ts";
import { factsOf } from "../../../lib/queue/read-queued-event.ts";
import { runs } from "../../helpers/property-runs.ts";

/** What SQS says of a message: any character but these, or InvalidMessageContents. */
const refused = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u;

const anyText = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom("a\uFFFFb", "\uFFFE", "\u0000", "\uD83D", "\u{1FFFF}"),
);

it("toMessageBody writes every text so that the queue takes it and the reader gets the same", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const messageBody = toMessageBody({ body: text });

      expect(messageBody).not.toMatch(refused);
      expect(JSON.parse(messageBody)).toEqual({ body: text });
    }),
    runs(),
  );
});

it("toMessageText replaces what the queue does not take, a cut character too", () => {
  expect(toMessageText("no\u0000 \uFFFF but 👋, and half: \uD83D")).toBe(
    "no\uFFFD \uFFFD but 👋, and half: \uFFFD",
  );
  fc.assert(
    fc.property(anyText, (text) => {
      expect(toMessageText(text)).not.toMatch(refused);
    }),
    runs(),
  );
});

/** A message whose body has as many bytes as wanted; "é" has two, so that characters are not counted for bytes. */
const messageOf = (bytes: number) => ({ a: `é${"x".repeat(bytes - '{"a":"é"}'.length - 1)}` });

describe("toMessageBody", () => {
  it("writes a body of exactly the size that a queue takes", () => {
    expect(Buffer.byteLength(toMessageBody(messageOf(maxMessageBytes)))).toBe(1_048_576 - 16_384);
  });

  it("refuses a body that has one byte more", () => {
    expect(() => toMessageBody(messageOf(maxMessageBytes + 1))).toThrow(
      "Could not write a queue message: it has 1032193 bytes, and a queue takes 1032192.",
    );
  });
});

const event = { v: 1, appId: "app-1", trigger: "message_sent", key: "key-1", receivedAt: 7, body: "{}" };
const facts = { appId: "app-1", trigger: "message_sent", deliveryKey: "key-1", receivedAt: 7 };

describe("factsOf", () => {
  it("reads what an event says of itself", () => {
    expect(factsOf(event)).toEqual(facts);
  });

  it("names a check of a phone call by what it checks", () => {
    const { trigger: _, ...check } = event;

    expect(factsOf({ ...check, check: "call_summary" })).toEqual({ ...facts, trigger: "call_summary" });
  });

  it.each([
    ["nothing", undefined],
    ["null", null],
    ["a text", "message"],
    ["a list", []],
    ["a message without an app", { ...event, appId: undefined }],
    ["a message whose app is no text", { ...event, appId: 7 }],
    ["a message without a key", { ...event, key: undefined }],
    ["a message whose key is no text", { ...event, key: 7 }],
    ["a message without a time", { ...event, receivedAt: undefined }],
    ["a message whose time is no number", { ...event, receivedAt: "7" }],
  ])("takes %s for no message of this system", (_case, message) => {
    expect(factsOf(message)).toBeUndefined();
  });
});
