import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  annotate,
  drop,
  InvalidAnnotationError,
  pass,
  writeBeforeMessageAnswer,
} from "../../../lib/questions/before-message-answer.ts";
import {
  InvalidConfidenceError,
  match,
  noMatch,
  writeModerationAnswer,
} from "../../../lib/questions/moderation-answer.ts";

describe("the answers to before_message", () => {
  it("are exactly what the platform knows", () => {
    expect(writeBeforeMessageAnswer(pass())).toBe("{}");
    expect(writeBeforeMessageAnswer(drop())).toBe('{"action":"do_not_propagate"}');
    expect(writeBeforeMessageAnswer(annotate({ riskScore: 12, tags: ["grüße"] }))).toBe(
      '{"riskScore":12,"tags":["grüße"]}',
    );
  });

  it.each([
    ["one that would drop the message", { action: "do_not_propagate" }],
    ["a list", [1]],
    ["null", null],
    ["a bigint", { n: 1n }],
    ["an object that writes itself as text", { toJSON: () => "text" }],
    ["8 kB and more", { text: "x".repeat(8_000) }],
  ])("cannot be annotated with %s", (_case, annotation) => {
    expect(() => annotate(annotation as never)).toThrow(InvalidAnnotationError);
    expect(() => writeBeforeMessageAnswer({ action: "annotate", annotation } as never)).toThrow(
      InvalidAnnotationError,
    );
  });

  it("are a JSON object without a drop, whatever is annotated", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (annotation) => {
        fc.pre(!Object.hasOwn(annotation, "action"));

        const body = writeBeforeMessageAnswer(annotate(annotation as never));

        expect(JSON.parse(body)).not.toHaveProperty("action");
        expect(body).toMatch(/^\{/);
      }),
      { seed: 3 },
    );
  });
});

describe("the answers to the moderation engine", () => {
  it("are exactly what the platform knows", () => {
    expect(writeModerationAnswer(noMatch())).toBe('{"isMatchingCondition":false,"confidence":0}');
    expect(writeModerationAnswer(match({ confidence: 0.95, reason: "Spam" }))).toBe(
      '{"isMatchingCondition":true,"confidence":0.95,"reason":"Spam"}',
    );
    expect(writeModerationAnswer(match({ confidence: 1 }))).toBe(
      '{"isMatchingCondition":true,"confidence":1}',
    );
  });

  it.each([[-0.1], [1.1], [95], [Number.NaN], [Number.POSITIVE_INFINITY]])(
    "cannot have the confidence %s",
    (confidence) => {
      expect(() => match({ confidence })).toThrow(InvalidConfidenceError);
      expect(() => writeModerationAnswer({ isMatchingCondition: true, confidence })).toThrow(
        InvalidConfidenceError,
      );
    },
  );
});
