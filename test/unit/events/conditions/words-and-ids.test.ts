import fc from "fast-check";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { InvalidPatternError } from "../../../../lib/base/compile-pattern.ts";
import { containsWord } from "../../../../lib/events/conditions/contains-word.ts";
import { fitsOneOf, isLikeGlob, isSameId } from "../../../../lib/events/conditions/where.ts";
import { runs } from "../../../helpers/property-runs.ts";

describe("containsWord", () => {
  it.each([
    ["What's the price?", "price"],
    ["PRICE", "price"],
    ["Der Preis: 3€", "preis"],
    ["сколько стоит ЦЕНА", "цена"],
    ["please call me back today", "call me back"],
    ["这个价格是多少", "价格"],
    ["c++ or rust", "c++"],
    ["ລາຄາເທົ່າໃດ", "ເທົ່າ"],
    ["តម្លៃប៉ុន្មាន", "ប៉ុន្មាន"],
    ["ဈေးဘယ်လောက်လဲ", "ဘယ်လောက်"],
    ["請求書invoiceを送って", "INVOICE"],
    ["サーバーinvoice", "invoice"],
    ["ขอinvoiceหน่อย", "invoice"],
    ["invoice를 보내 주세요", "invoice"],
    ["全部で100円です", "100"],
    ["使うのはc++です", "c++"],
    ["A가격은 얼마", "가격은"],
  ])("finds in “%s” the word “%s”", (text, word) => {
    expect(containsWord(text, word)).toBe(true);
  });

  it.each([
    ["priceless", "price"],
    ["the prices", "price"],
    ["fußball", "ball"],
    ["", "price"],
    ["請求書invoicesを送って", "invoice"],
    ["全部で1100円です", "100"],
    ["최저가격은 얼마", "가격"],
  ])("does not find in “%s” the word “%s”", (text, word) => {
    expect(containsWord(text, word)).toBe(false);
  });

  it.each([..."\\^$.*+?()[]{}|/-,:;<=>!#%&~'\"@_ "])("treats %s in a word literally", (sign) => {
    const word = `x${sign}y`;

    expect(["xy", "xxy", "xay", word].map((text) => containsWord(text, word))).toEqual([
      false,
      false,
      false,
      true,
    ]);
  });
});

/** A text of these characters, which may stand beside a word. */
const around = (unit: string) => fc.string({ unit: fc.constantFrom(...unit), maxLength: 3 });

it("finds a word between any characters of scripts without spaces, and beside no other letter", () => {
  const word = fc.string({ unit: fc.constantFrom(..."aé1Ж"), minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(
      word,
      around("書をー한ไ 、!"),
      around("書をー한ไ 、!"),
      fc.constantFrom(..."xй7"),
      (needle, before, behind, letter) => {
        expect(containsWord(`${before}${needle}${behind}`, needle)).toBe(true);
        expect(containsWord(`${before}${letter}${needle}${behind}`, needle)).toBe(false);
        expect(containsWord(`${before}${needle}${letter}${behind}`, needle)).toBe(false);
      },
    ),
    runs(200),
  );
});

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
  ] as const)("returns for %j whether it fits %j: %s", (values, wanted, expected) => {
    expect(fitsOneOf(values, wanted)).toBe(expected);
  });

  it("compares with the given function", () => {
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
  ])("returns for %s whether it is like %s: %s", (id, glob, expected) => {
    expect(isLikeGlob(id, glob)).toBe(expected);
  });

  it("agrees with an anchored regular expression", () => {
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

// The compiler registers itself when it is loaded.
beforeEach(() => vi.resetModules());

describe("textPattern", () => {
  const load = async () => ({
    ...(await import("../../../../lib/events/conditions/patterns.ts")),
    ...(await import("../../../../lib/events/conditions/text-pattern.ts")),
  });

  it("is plain data that identifies the pattern after storage", async () => {
    const { textPattern, patternIn } = await load();

    const stored = JSON.parse(JSON.stringify(textPattern("refund(s|ed)?")));

    expect(stored).toEqual({ pattern: "refund(s|ed)?" });
    expect(["I was REFUNDED", "nothing"].map(patternIn(stored))).toEqual([true, false]);
  });

  it.each([
    ["a pattern that RE2 does not support", "(?=a)", /looking ahead/],
    ["a pattern that fits every text", "a*", /fits every text, the empty one too/],
    ["a pattern that is too large", "a{600}b{600}", /\d{4} instructions, and 1000 are allowed/],
  ])("refuses %s when it is made", async (_case, pattern, message) => {
    const { textPattern } = await load();

    expect(() => textPattern(pattern)).toThrow(message);
    expect(() => textPattern(pattern)).toThrow(expect.objectContaining({ name: InvalidPatternError.name }));
  });

  it("searches only the end of a text that is too long for the pattern's size", async () => {
    const { textPattern, patternIn } = await load();
    const find = patternIn(textPattern("needle[a-z]{80,400}x?"));
    const hay = `needle${"a".repeat(100)}`;

    expect(find(hay.padStart(65_000, " "))).toBe(true);
    expect(find(hay.padEnd(65_000, " "))).toBe(false);
  });

  it("caches few patterns, and compiles an evicted one again", async () => {
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

  it("names the import if no compiler is loaded", async () => {
    const { patternIn } = await import("../../../../lib/events/conditions/patterns.ts");

    expect(() => patternIn({ pattern: "a" })).toThrow('Write text: textPattern("…"), imported from');
  });
});
