import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  annotate,
  drop,
  pass,
  writeBeforeMessageAnswer,
} from "../../../../lib/endpoints/questions/before-message-answer.ts";
import {
  match,
  noMatch,
  writeModerationAnswer,
} from "../../../../lib/endpoints/questions/moderation-answer.ts";
import { InvalidAnswerError } from "../../../../lib/endpoints/questions/read-answer.ts";
import { runs } from "../../../helpers/property-runs.ts";

const circle: { self?: unknown } = {};
circle.self = circle;

describe("the answers to before_message", () => {
  it("are exactly those that the platform accepts", () => {
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
    ["a circle", circle],
    ["no number", { n: Number.NaN }],
    ["a date", { at: new Date(0) }],
    ["a promise", { text: Promise.resolve("x") }],
    ["a function", { list: [() => "x"] }],
    ["8 kB and more", { text: "x".repeat(8_000) }],
  ])("cannot be annotated with %s", (_case, annotation) => {
    expect(() => annotate(annotation as never)).toThrow(InvalidAnswerError);
    expect(() => writeBeforeMessageAnswer({ action: "annotate", annotation } as never)).toThrow(
      InvalidAnswerError,
    );
  });

  it("are a JSON object without a drop, for any annotation", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (annotation) => {
        fc.pre(!Object.hasOwn(annotation, "action"));

        const body = writeBeforeMessageAnswer(annotate(annotation as never));

        expect(JSON.parse(body)).not.toHaveProperty("action");
        expect(body).toMatch(/^\{/);
      }),
      runs(),
    );
  });
});

describe("an invalid answer", () => {
  it.each<[string, (value: object) => unknown]>([
    ["nothing", () => undefined],
    ["a text", () => "pass"],
    ["a list", (value) => [value]],
    ["a function", (value) => Object.assign(() => value, value)],
    ["a field too many", (value) => ({ ...value, extra: 1 })],
    ["toJSON of its own", (value) => ({ ...value, toJSON: () => ({ smuggled: true }) })],
    [
      "a proxy that throws",
      (value) =>
        new Proxy(value, {
          ownKeys: () => {
            throw new Error("my-private-words");
          },
        }),
    ],
  ])("is written for neither question: %s", (_case, disguise) => {
    for (const answer of [annotate({ a: 1 }), pass()])
      expect(() => writeBeforeMessageAnswer(disguise(answer) as never)).toThrow(InvalidAnswerError);
    expect(() => writeModerationAnswer(disguise(match({ confidence: 1 })) as never)).toThrow(
      InvalidAnswerError,
    );
  });

  it.each([
    ["a missing field", writeModerationAnswer, { isMatchingCondition: true }],
    ["a confidence as text", writeModerationAnswer, { isMatchingCondition: true, confidence: "0.9" }],
    ["a number for true", writeModerationAnswer, { isMatchingCondition: 1, confidence: 0.9 }],
    [
      "a reason that is no text",
      writeModerationAnswer,
      { isMatchingCondition: true, confidence: 0.9, reason: ["x"] },
    ],
    [
      "a reason that is null",
      writeModerationAnswer,
      { isMatchingCondition: true, confidence: 1, reason: null },
    ],
    ["no action", writeBeforeMessageAnswer, {}],
    ["another action", writeBeforeMessageAnswer, { action: "do_not_propagate" }],
    ["a note beside a pass", writeBeforeMessageAnswer, { action: "pass", annotation: { a: 1 } }],
    ["a note without one", writeBeforeMessageAnswer, { action: "annotate" }],
  ])("is refused for its question: %s", (_case, write, answer) => {
    expect(() => write(answer as never)).toThrow(InvalidAnswerError);
  });

  it("keeps names with a special meaning in JavaScript as ordinary names", () => {
    const annotation = JSON.parse('{"__proto__":{"action":"do_not_propagate"},"toJSON":"x"}');

    expect(writeBeforeMessageAnswer(annotate(annotation))).toBe(
      '{"__proto__":{"action":"do_not_propagate"},"toJSON":"x"}',
    );
  });
});

describe("the answers to the moderation engine", () => {
  it("are exactly those that the platform accepts", () => {
    expect(writeModerationAnswer(noMatch())).toBe('{"isMatchingCondition":false,"confidence":0}');
    expect(writeModerationAnswer(match({ confidence: 0.95, reason: "Spam" }))).toBe(
      '{"isMatchingCondition":true,"confidence":0.95,"reason":"Spam"}',
    );
    const found = { list: "spam", confidence: 1 };
    expect(writeModerationAnswer(match(found))).toBe('{"isMatchingCondition":true,"confidence":1}');
  });

  it.each([[-0.1], [1.1], [95], [Number.NaN], [Number.POSITIVE_INFINITY]])(
    "cannot have the confidence %s",
    (confidence) => {
      expect(() => match({ confidence })).toThrow(InvalidAnswerError);
      expect(() => writeModerationAnswer({ isMatchingCondition: true, confidence })).toThrow(
        InvalidAnswerError,
      );
    },
  );

  it("have a reason of at most 500 characters, without half characters", () => {
    const { reason } = match({ confidence: 1, reason: `${"x".repeat(499)}😀` });

    expect(reason).toBe(`${"x".repeat(499)}\ufffd`);
  });

  it.each([["0.9"], [null], [undefined], [{}]])("cannot be made with the confidence %j", (confidence) => {
    expect(() => match({ confidence: confidence as never })).toThrow(InvalidAnswerError);
  });
});
