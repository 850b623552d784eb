import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fitsOneOf, isLikeGlob, isSameId } from "../../../../lib/events/conditions/one-of.ts";
import { runs } from "../../../helpers/property-runs.ts";

describe("fitsOneOf", () => {
  it.each([
    [["a"], "a", true],
    [["a"], "b", false],
    [["a"], ["b", "a"], true],
    [["a"], [], false],
    [[], "a", false],
    [["a"], { not: "a" }, false],
    [["a"], { not: "b" }, true],
    [[], { not: "a" }, true],
    [["A"], "a", false],
  ] as const)("tells of %j whether it fits %j: %s", (values, wanted, expected) => {
    expect(fitsOneOf(values, wanted)).toBe(expected);
  });

  it("compares as it is told", () => {
    expect(fitsOneOf(["ANN"], "ann", isSameId)).toBe(true);
    expect(fitsOneOf(["ann"], { not: ["bela", "Ann"] }, isSameId)).toBe(false);
  });
});

describe("isLikeGlob", () => {
  it.each([
    ["support", "Support", true],
    ["SUPPORT-1", "support-*", true],
    ["my-support-1", "support-*", false],
    ["team-eu-1", "*-eu-*", true],
    ["anything", "*", true],
    ["a.c", "a.c", true],
    ["abc", "a.c", false],
    ["abc", "a?c", false],
  ])("tells of %s whether it is like %s: %s", (id, glob, expected) => {
    expect(isLikeGlob(id, glob)).toBe(expected);
  });

  it("says what an anchored regular expression says", () => {
    const part = fc.string({ unit: fc.constantFrom("a", "b", "*", "-"), maxLength: 8 });
    const id = fc.string({ unit: fc.constantFrom("a", "b", "-"), maxLength: 10 });
    fc.assert(
      fc.property(id, part, (text, glob) => {
        const expression = new RegExp(`^${glob.split("*").map(RegExp.escape).join("[^]*")}$`);
        expect(isLikeGlob(text, glob)).toBe(expression.test(text));
      }),
      runs(200),
    );
  });
});
