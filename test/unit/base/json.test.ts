import { describe, expect, it } from "vitest";
import { isRecord, parseJson } from "../../../lib/base/json.ts";

describe("parseJson", () => {
  it.each([
    ['{"text":"schöne Grüße"}', { text: "schöne Grüße" }],
    ["[1]", [1]],
    ["null", null],
    ["", undefined],
    ["my-private-words {", undefined],
  ])("reads %s as %j", (text, value) => {
    expect(parseJson(text)).toEqual(value);
  });
});

describe("isRecord", () => {
  it.each([
    [{}, true],
    [[], false],
    [null, false],
    [undefined, false],
    ["text", false],
  ])("tells of %j: %s", (value, expected) => {
    expect(isRecord(value)).toBe(expected);
  });
});
