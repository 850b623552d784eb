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

  it("bounds the steps of any pattern it finds cheap, on the texts that cost most", () => {
    const piece = fc.constantFrom(...pieces.keys());
    const quantifier = fc.constantFrom("", "?", "{0,5}", "{1,30}", "{2}");
    const part = fc.tuple(piece, quantifier);
    const parts = fc.array(part, { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(parts, (chosen) => {
        const source = `${chosen.map(([sign, count]) => sign + count).join("")}z`;
        fc.pre(patternCost(source) <= 1_000);
        const sequence = [...chosen.map(toRepeated), { node: letter("z"), min: 1, max: 1 }];
        const atStart = new RegExp(compilePattern(source), "iuy");
        for (const text of ["a".repeat(600), "ab".repeat(300), "aba".repeat(200)]) {
          const { isFound, steps } = countSteps(sequence, text);

          expect(isFound).toBe(atStart.test(text));
          expect(steps).toBeLessThanOrEqual(patternCost(source));
        }
      }),
      { seed: 11, numRuns: 300 },
    );
  });
});

/** A part of a pattern, as a matcher of our own runs it: it counts where the engine's cannot be asked. */
type Node = { readonly letters: string } | { readonly oneOf: readonly (readonly Repeated[])[] };
interface Repeated {
  readonly node: Node;
  readonly min: number;
  readonly max: number;
}

const letter = (letters: string): Node => ({ letters });
const once = (...nodes: readonly Node[]): Repeated[] => nodes.map((node) => ({ node, min: 1, max: 1 }));
const aOrBa: Node = { oneOf: [once(letter("a")), once(letter("b"), letter("a"))] };

/** What patterns are put together from, with its meaning for texts of a and b. */
const pieces = new Map<string, Node>([
  ["a", letter("a")],
  ["b", letter("b")],
  ["[ab]", letter("ab")],
  [".", letter("ab")],
  ["\\w", letter("ab")],
  ["(?:a|b)", { oneOf: [once(letter("a")), once(letter("b"))] }],
  ["(?:aa|a)", { oneOf: [once(letter("a"), letter("a")), once(letter("a"))] }],
  ["(?:(?:a|ba){1,2})", { oneOf: [[{ node: aOrBa, min: 1, max: 2 }]] }],
]);

function toRepeated([sign, quantifier]: readonly [string, string]): Repeated {
  const node = pieces.get(sign);
  if (node === undefined) throw new Error(`There is no piece ${sign}.`);
  if (quantifier === "?") return { node, min: 0, max: 1 };
  const [min = 1, max = min] = [...quantifier.matchAll(/\d+/g)].map(Number);
  return { node, min, max };
}

/** Matches at the beginning of a text, greedily and with backtracking, and counts the letters looked at. */
function countSteps(sequence: readonly Repeated[], text: string): { isFound: boolean; steps: number } {
  let steps = 0;
  type Then = (at: number) => boolean;
  const matchNode = (node: Node, at: number, then: Then): boolean => {
    if ("oneOf" in node) return node.oneOf.some((option) => matchAll(option, at, then));
    steps += 1;
    return at < text.length && node.letters.includes(text.charAt(at)) && then(at + 1);
  };
  const matchAll = ([first, ...rest]: readonly Repeated[], at: number, then: Then): boolean => {
    if (first === undefined) return then(at);
    const { node, min, max } = first;
    const matchMore = (count: number, from: number): boolean =>
      (count < max && matchNode(node, from, (next) => matchMore(count + 1, next))) ||
      (count >= min && matchAll(rest, from, then));
    return matchMore(0, at);
  };
  return { isFound: matchAll(sequence, 0, () => true), steps };
}
