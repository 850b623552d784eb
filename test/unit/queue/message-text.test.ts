import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { maxMessageBytes, toMessageBody, toMessageText } from "../../../lib/queue/queued-event.ts";
import { factsOf } from "../../../lib/queue/read-queued-event.ts";
import { anyText } from "../../helpers/any-text.ts";
import { runs } from "../../helpers/property-runs.ts";

/** The characters that SQS refuses with InvalidMessageContents. */
const refused = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u;

const hostileText = fc.oneof(
  anyText(),
  fc.constantFrom("a\uFFFFb", "\uFFFE", "\u0000", "\uD83D", "\u{1FFFF}"),
);

it("toMessageBody writes every text in a form that the queue accepts and the reader restores", () => {
  fc.assert(
    fc.property(hostileText, (text) => {
      const messageBody = toMessageBody({ body: text });

      expect(messageBody).not.toMatch(refused);
      expect(JSON.parse(messageBody)).toEqual({ body: text });
    }),
    runs(),
  );
});

it("toMessageText replaces characters that the queue refuses, including half a surrogate pair", () => {
  expect(toMessageText("no\u0000 \uFFFF but 👋, and half: \uD83D")).toBe(
    "no\uFFFD \uFFFD but 👋, and half: \uFFFD",
  );
  fc.assert(
    fc.property(hostileText, (text) => {
      expect(toMessageText(text)).not.toMatch(refused);
    }),
    runs(),
  );
});

/** A message whose body has the given size; "é" distinguishes its bytes from its characters. */
const messageOf = (bytes: number) => ({ a: `é${"x".repeat(bytes - '{"a":"é"}'.length - 1)}` });

describe("toMessageBody", () => {
  it("accepts a body of exactly the maximum size", () => {
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
  it("reads an event's app, trigger, key and time", () => {
    expect(factsOf(event)).toEqual(facts);
  });

  it("uses the name of a phone call's check as the trigger", () => {
    const { trigger: _, ...check } = event;

    expect(factsOf({ ...check, check: "call_summary" })).toEqual({ ...facts, trigger: "call_summary" });
  });

  it.each([
    ["null", null],
    ["a text", "message"],
    ["a list", []],
    ["a message whose app is not a string", { ...event, appId: 7 }],
    ["a message whose key is not a string", { ...event, key: 7 }],
    ["a message whose time is not a number", { ...event, receivedAt: "7" }],
  ])("returns undefined for %s", (_case, message) => {
    expect(factsOf(message)).toBeUndefined();
  });
});
