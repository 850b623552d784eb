import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compilePattern, InvalidPatternError } from "../../../lib/base/compile-pattern.ts";
import { maxPatternInstructions } from "../../../lib/endpoints/moderation-lists/moderation-rules.ts";
import { toCompatibleText } from "../../../lib/events/conditions/contains-word.ts";
import { runs } from "../../helpers/property-runs.ts";
import { countSteps } from "../endpoints/moderation-lists/count-steps.ts";

describe("compilePattern", () => {
  it.each([
    ["\\b(buy|get)\\b.*\\bgift ?cards?\\b", "BUY me a Gift Card", true],
    ["\\b(buy|get)\\b.*\\bgift ?cards?\\b", "buyer of gift cards", false],
    ["(?:s|ſ){0,26}b", "ſſb", true],
    ["\\p{Greek}{2,}", "aΑβ", true],
    ["\\x{1F600}+!", "😀😀!", true],
    ["^a{2}$", "xaa", false],
    ["straße", "STRAẞE", true],
    ["(?s:a.b)", "a\nb", true],
    ["a.b", "a\nb", false],
  ])("finds %s in %s: %s", (pattern, text, isFound) => {
    expect(compilePattern(pattern).test(text)).toBe(isFound);
  });

  it.each([
    ["(?=a)b", "looking ahead or behind"],
    ["(?<!a)b", "looking ahead or behind"],
    ["(a)\\1", "references back"],
    ["(?<x>a)\\k<x>", "references back"],
    ["\\u0041", "\\x{1F600}"],
    ["\\cA", "\\x01"],
    ["\\p{Script=Greek}", "\\p{Greek}, not"],
    ["\\p{Letter}", "\\p{L}"],
    ["[]", "must not be empty"],
    ["a{1001}", "1000 times at most"],
    ["(a", "missing closing ): `(a`"],
    ["a**", "invalid nested repetition operator"],
    ["((a{100}){100}){100}", "invalid repeat count"],
    ["(".repeat(2_000) + ")".repeat(2_000), "nests too deeply"],
  ])("refuses %s and names the remedy", (pattern, reason) => {
    expect(() => compilePattern(pattern)).toThrow(InvalidPatternError);
    expect(() => compilePattern(pattern)).toThrow(reason);
  });

  it("finds the same as the language's own expressions", () => {
    const pattern = fc
      .array(
        fc.tuple(fc.constantFrom("a", "b", "[ab]", ".", "\\w", "\\b", "(?:a|ba)", "(?:ab|)"), quantifier),
        {
          minLength: 1,
          maxLength: 5,
        },
      )
      .map((parts) => parts.map(([part, count]) => part + (part === "\\b" ? "" : count)).join(""));
    fc.assert(
      fc.property(
        pattern,
        fc.string({ unit: fc.constantFrom("a", "b", "A", " "), maxLength: 30 }),
        (source, text) => {
          expect(compilePattern(source).test(text)).toBe(new RegExp(source, "iu").test(text));
        },
      ),
      runs(),
    );
  });
});

describe("the work of matching a pattern", () => {
  it("is bounded by the pattern's size and the text's length, whatever repetitions are nested", async () => {
    const letters = fc.string({ unit: fc.constantFrom("a", "b", "s", "ſ", " "), minLength: 1, maxLength: 5 });
    const search = fc
      .record({ pattern: repetitions, letters, seed: fc.nat() })
      .map(({ pattern, letters, seed }) => ({ pattern, text: randomText(letters, seed, 400) }))
      .filter(({ pattern }) => compilePattern(pattern).size <= maxPatternInstructions);
    const searches = fc.sample(search, { seed: 12, numRuns: 100 });

    const counted = await countSteps(searches);

    const worst = counted.map(({ pattern, text, size, steps }) => ({
      pattern,
      each: steps / size / text.length,
    }));
    expect(worst.filter(({ each }) => each > maxStepsPerInstruction)).toEqual([]);
  });

  it.each([
    ["(?:s|ſ){0,26}[xy]", "sſ"],
    ["(a+)+[xy]$", "ab"],
    ["(?:a?){30}a{30}[xy]", "a"],
    ["(a|a)*[xy]", "a"],
    ["[ab]*a[ab]{100}[xy]", "ab"],
    ["[ab]*a[ab]{12}\\b[xy]", "ab"],
    ["\\b(.{0,10}){0,10}[xy]", "a b"],
  ])("at most doubles with the text for %s, in a text of %s", async (pattern, alphabet) => {
    const text = randomText(alphabet, 1, 4_000);

    const [once, twice] = await countSteps([
      { pattern, text: text.slice(0, 2_000) },
      { pattern, text },
    ]);

    expect(once?.steps).toBeGreaterThan(2_000);
    expect(twice?.steps).toBeLessThan(2.5 * (once?.steps ?? 0));
  });
});

/** The most blocks that the engine runs for one character and one instruction: measured, with a margin. */
const maxStepsPerInstruction = 20;

const quantifier = fc.constantFrom("", "?", "*", "+", "{0,5}", "{1,30}", "{2}", "{3,}");

const part = fc.tuple(
  fc.constantFrom("a", "[ab]", ".", "(?:s|ſ)", "(?:a|a)", "(?:a|ab|b)", "(?:a*)", "\\b"),
  quantifier,
);
const group = fc
  .tuple(fc.array(part, { minLength: 1, maxLength: 3 }), quantifier)
  .map(([parts, count]) => `(?:${parts.map(withCount).join("")})${count}`);
/** Repetitions within repetitions. */
const repetitions = fc.array(group, { minLength: 1, maxLength: 3 }).map((groups) => `${groups.join("")}[xy]`);

/** A text without a rhythm that would help an engine. */
function randomText(alphabet: string, seed: number, length: number) {
  let state = seed;
  return Array.from({ length }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return alphabet[(state >> 16) % alphabet.length];
  }).join("");
}

function withCount([part, count]: readonly [string, string]) {
  return part + (part === "\\b" ? "" : count);
}

describe("toCompatibleText", () => {
  it("unifies compatible characters, and letters with their marks", () => {
    expect(toCompatibleText("ｆｕｌｌ ﬁ e\u0301 ｶ\uff9e")).toBe("full fi \u00e9 ガ");
  });

  it("keeps 30 marks of a letter, in order", () => {
    const marks = "\u0323".repeat(15) + "\u0301".repeat(15);

    expect(toCompatibleText(`x${marks}\u0323 x`)).toBe(`x${marks} x`);
  });

  it.each([
    ["marks", "a", "\u0301\u0323"],
    ["halfwidth sound marks among others", "ｶ", "\uff9e\u0323"],
  ])("sorts at most 30, however many %s a letter has", (_name, letter, marks) => {
    const text = toCompatibleText(letter + marks.repeat(200_000) + letter);

    expect(text.length).toBeLessThanOrEqual(33);
  });
});
