import { beforeEach, describe, expect, it, vi } from "vitest";
import { InvalidPatternError } from "../../../../lib/base/compile-pattern.ts";

// What compiles patterns is known as soon as it is loaded.
beforeEach(() => vi.resetModules());

describe("textPattern", () => {
  const load = async () => ({
    ...(await import("../../../../lib/events/conditions/patterns.ts")),
    ...(await import("../../../../lib/events/conditions/text-pattern.ts")),
  });

  it("is plain data, by which the pattern is found again where it comes from storage", async () => {
    const { textPattern, patternIn } = await load();

    const stored = JSON.parse(JSON.stringify(textPattern("refund(s|ed)?")));

    expect(stored).toEqual({ pattern: "refund(s|ed)?" });
    expect(["I was REFUNDED", "nothing"].map(patternIn(stored))).toEqual([true, false]);
  });

  it.each([
    ["what RE2 does not take", "(?=a)", /looking ahead/],
    ["what fits every text", "a*", /fits every text, the empty one too/],
    ["what is too large", "a{600}b{600}", /\d{4} instructions, and 1000 are allowed/],
  ])("refuses %s when it is made", async (_case, pattern, message) => {
    const { textPattern } = await load();

    expect(() => textPattern(pattern)).toThrow(message);
    expect(() => textPattern(pattern)).toThrow(expect.objectContaining({ name: InvalidPatternError.name }));
  });

  it("looks at the end of a text that is too long for its size", async () => {
    const { textPattern, patternIn } = await load();
    const find = patternIn(textPattern("needle[a-z]{80,400}x?"));
    const hay = `needle${"a".repeat(100)}`;

    expect(find(hay.padStart(65_000, " "))).toBe(true);
    expect(find(hay.padEnd(65_000, " "))).toBe(false);
  });

  it("keeps few patterns ready, and makes one again that it forgot", async () => {
    const { patternIn, useCompiler } = await load();
    const made: string[] = [];
    useCompiler((pattern) => {
      made.push(pattern);
      return (text) => text.includes(pattern);
    });
    const patterns = Array.from({ length: 200 }, (_, index) => ({ pattern: `<${index}>` }));

    for (const pattern of [...patterns, ...patterns]) patternIn(pattern);
    expect(made).toHaveLength(200);

    patternIn({ pattern: "<200>" });
    expect(patternIn({ pattern: "<1>" })("a <1>")).toBe(true);
    expect(made).toHaveLength(201);
    patternIn({ pattern: "<0>" });
    expect(made.slice(-2)).toEqual(["<200>", "<0>"]);
  });

  it("says what to import where nothing knows how to find a pattern", async () => {
    const { patternIn } = await import("../../../../lib/events/conditions/patterns.ts");

    expect(() => patternIn({ pattern: "a" })).toThrow('Write text: textPattern("…"), imported from');
  });
});
