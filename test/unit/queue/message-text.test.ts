import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toMessageBody, toMessageText } from "../../../lib/queue/message-text.ts";
import { runs } from "../../helpers/property-runs.ts";

/** What SQS says of a message: any character but these, or InvalidMessageContents. */
const refused = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u;

const anyText = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom("a\uFFFFb", "\uFFFE", "\u0000", "\uD83D", "\u{1FFFF}"),
);

describe("toMessageBody", () => {
  it("writes every text so that the queue takes it and the reader gets the same", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const messageBody = toMessageBody({ body: text });

        expect(messageBody).not.toMatch(refused);
        expect(JSON.parse(messageBody)).toEqual({ body: text });
      }),
      runs(),
    );
  });
});

describe("toMessageText", () => {
  it("replaces what the queue does not take, a cut character too", () => {
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
});
