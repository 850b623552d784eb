import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  compilePattern,
  patternCost,
  UnsafePatternError,
} from "../../../lib/moderation-lists/pattern-cost.ts";

describe("patternCost", () => {
  it.each([
    ["a+", "{1,20} instead of +"],
    ["(ab)*", "{0,20} instead of *"],
    ["a{2,}", "{2,20} instead of {2,}"],
    ["(a+)+$", "instead of +"],
    ["(a)\\1", "References back"],
    ["(?<x>a)\\k<x>", "References back"],
    ["(a", "Unterminated group"],
    ["[a", "Unterminated character class"],
  ])("refuses %s and says what to do", (pattern, reason) => {
    expect(() => patternCost(pattern)).toThrow(UnsafePatternError);
    expect(() => patternCost(pattern)).toThrow(reason);
  });

  it.each([["[+*]"], ["\\+\\*"], ["\\p{L}{1,5}"], ["[\\]+]{1,3}"], ["a{0,3}?b??"], ["(?<!\\p{L})x(?=y|z)"]])(
    "takes %s, whose signs are no unbounded quantifiers",
    (pattern) => {
      expect(patternCost(pattern)).toBeLessThan(100);
    },
  );

  it("sees that nested repetitions explode, without trying them", () => {
    expect(patternCost("(a{0,9}){0,9}b")).toBeGreaterThan(1e8);
    expect(patternCost("(a|a){30}b")).toBeGreaterThan(1e8);
  });

  it("counts alternatives that begin with different letters once", () => {
    expect(patternCost("(?:cat|dog)x{1,9}")).toBeLessThan(patternCost("(?:cat|cow)x{1,9}"));
    expect(patternCost("(?:c?at|dog)x{1,9}")).toBe(patternCost("(?:c?at|[d]og)x{1,9}"));
  });

  it("bounds the time of any pattern it finds cheap, on the texts that cost most", () => {
    const letter = fc.constantFrom("a", "[ab]", ".", "\\w", "b", "(?:a|b)", "(?:aa|a)", "(?:(?:a|ba){1,2})");
    const quantifier = fc.constantFrom("", "?", "{0,5}", "{1,30}", "{2}");
    const part = fc.tuple(letter, quantifier).map(([sign, count]) => sign + count);
    const pattern = fc.array(part, { minLength: 1, maxLength: 5 }).map((parts) => `${parts.join("")}z`);
    fc.assert(
      fc.property(pattern, (source) => {
        fc.pre(patternCost(source) <= 1_000);
        const expression = compilePattern(source);
        for (const text of ["a".repeat(16_000), "ab".repeat(8_000)]) {
          const started = performance.now();
          expression.test(text);
          // A tenth of a second for a sixth of what is allowed; generous, for machines that do other things too.
          expect(performance.now() - started).toBeLessThan(500);
        }
      }),
      { seed: 11, numRuns: 60 },
    );
  });
});
