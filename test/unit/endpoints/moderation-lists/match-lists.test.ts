import { describe, expect, it, vi } from "vitest";
import { createListMatcher } from "../../../../lib/endpoints/moderation-lists/match-lists.ts";
import { moderationRulesSchema } from "../../../../lib/endpoints/moderation-lists/moderation-rules.ts";
import type { Question } from "../../../../lib/endpoints/questions/question.ts";

const rulesOf = (...lists: object[]) =>
  moderationRulesSchema.parse({
    lists,
    dropFrom: 0.8,
    whenUndecided: { beforeMessage: "pass", moderation: "noMatch" },
  }).lists;
const question = (text: string, more: Partial<Question> = {}): Question => ({
  message: { sender: "ann", data: { text } },
  context: [],
  language: undefined,
  ...more,
});

describe("createListMatcher", () => {
  const insult = { name: "insults", confidence: 0.6, words: ["fool", "big fool", "馬鹿"] };

  it.each([
    ["You FOOL!", true],
    ["you f\u00adoo\u200bl", true],
    ["you f\ufe0foo\u034fl", true],
    ["you f\u3164oo\u{e0100}l", true],
    ["you ｆｏｏｌ", true],
    ["a big... fool", true],
    ["foolish", false],
    ["あの馬鹿は", true],
    ["你是fool吗", true],
    ["ーfoolー", true],
    ["너는 fool이다", true],
    ["คุณbig foolครับ", true],
    ["你是fools吗", false],
    ["big馬 fool2", false],
    ["", false],
    ["z\u0301fool", false],
  ])("finds whole words in any spelling: %s", (text, isFound) => {
    expect(createListMatcher(rulesOf(insult))(question(text)) !== undefined).toBe(isFound);
  });

  it.each([
    ["a$$", "what an a$$!", "this is a test"],
    ["a**hole", "you A**HOLE", "a hole in the wall"],
    ["$ex", "＄ex now", "my ex called"],
    ["@ss", "an @ss", "the ss, and b@ss"],
    ["c++", "(c++)", "vitamin c, and c++11"],
    ["🖕a", "🖕a", "a"],
    ["a.b", "a.b", "a b"],
    [" -x", "a -x", "x"],
    ["🖕", "you🖕", "you"],
    ["don’t you-know", "Don't, you know", "dont you know"],
    ["big fools", "是big fools的", "big的fools"],
    ["a$$", "你a$$的", "你ba$$的"],
    ["바보", "you바보!", "바보상자"],
  ])("finds a word's signs: %s in “%s”, not in “%s”", (word, text, other) => {
    const match = createListMatcher(rulesOf({ ...insult, words: [word] }));

    expect([match(question(text)) !== undefined, match(question(other)) !== undefined]).toEqual([
      true,
      false,
    ]);
  });

  it.each(["ຄວາຍ", "ខ្មែរ", "ခွေး", "ควาย", "馬鹿", "ばか"])(
    "finds %s inside a run of text, because its script writes no spaces",
    (word) => {
      const match = createListMatcher(rulesOf({ ...insult, words: [word] }));
      const run = Array.from(word)[0];

      expect(match(question(`${run}${word}${run}`))).toBeDefined();
    },
  );

  it("returns the match with the highest confidence, with its reason", () => {
    const match = createListMatcher(
      rulesOf(insult, {
        name: "threats",
        confidence: 0.9,
        reason: "A threat.",
        patterns: ["fool.{0,20}die"],
      }),
    );

    expect(match(question("fool, you will die"))).toEqual({
      list: "threats",
      confidence: 0.9,
      reason: "A threat.",
    });
    expect(match(question("fool"))).toEqual({
      list: "insults",
      confidence: 0.6,
      reason: "Matches the list “insults”.",
    });
  });

  it.each([
    ["de", true],
    ["de-AT", true],
    ["en", false],
    [undefined, true],
  ])("applies a list for one language to a message in %s: %s", (language, isAsked) => {
    const match = createListMatcher(rulesOf({ ...insult, language: "de" }));

    expect(match(question("fool", { language })) !== undefined).toBe(isAsked);
  });

  it("joins the sender's previous messages if the list does, but not other users' messages", () => {
    const match = createListMatcher(
      rulesOf({ name: "split", confidence: 1, words: ["big fool"], joined: true }),
    );
    const said = (...uids: string[]) => uids.map((uid) => ({ uid, text: "you big" }));

    expect(match(question("fool", { context: said("bela", "ann") }))).toBeDefined();
    expect(match(question("fool", { context: said("ann", "bela") }))).toBeUndefined();
    expect(match(question("fool", { context: said("ann"), areUidsDoubtful: true }))).toBeUndefined();
    expect(match(question("big fool", { context: said("ann"), areUidsDoubtful: true }))).toBeDefined();
  });

  it("does not match a message because of its sender's previous ones", () => {
    const match = createListMatcher(
      rulesOf({ name: "split", confidence: 1, words: ["big fool"], patterns: ["^sold$"], joined: true }),
    );
    const context = [{ uid: "ann", text: "big fool" }];

    const found = ["sorry", "", "big fool", "sold"].map((text) => match(question(text, { context })));

    expect(found.map((one) => one !== undefined)).toEqual([false, false, true, true]);
  });

  it.each([
    ["after one that matched by itself", ["big fool", "you big"], "fool", true],
    ["after two that matched together", ["big", "fool", "big"], "fool", true],
    ["before two that matched together", ["big", "fool", "big"], "old", false],
  ])("finds a text split over messages %s", (_case, before, text, isFound) => {
    const match = createListMatcher(
      rulesOf({ name: "split", confidence: 1, words: ["big fool"], joined: true }),
    );
    const context = before.map((one) => ({ uid: "ann", text: one }));

    expect(match(question(text, { context })) !== undefined).toBe(isFound);
  });

  it.each([
    [490, true],
    [500, false],
  ])("joins the end of a long text: looks back over %i characters: %s", (length, isFound) => {
    const match = createListMatcher(
      rulesOf({ name: "split", confidence: 1, patterns: ["big.*fool"], joined: true }),
    );
    const context = [{ uid: "ann", text: `big ${"x".repeat(length)}` }];

    expect(match(question("fool", { context })) !== undefined).toBe(isFound);
  });

  it("splits each text once, however many lists there are", () => {
    const lists = ["a", "b", "c"].map((name) => ({ name, confidence: 1, words: ["fool"], joined: true }));
    const match = createListMatcher(rulesOf(...lists));
    const split = vi.spyOn(String.prototype, "match");

    match(question("hello", { context: [{ uid: "ann", text: "hi" }] }));

    const splits = split.mock.calls.length;
    expect(splits).toBe(2);
  });

  it("matches patterns with a whole text of the platform's maximum length", () => {
    const match = createListMatcher(rulesOf({ name: "long", confidence: 1, patterns: ["big.{0,20}fool"] }));
    const padding = "x".repeat(32_000);

    expect(match(question(`${padding} big old fool ${padding}`))).toBeDefined();
  });

  it("matches large patterns with the end of the joined text, which has the current message", () => {
    const large = { name: "large", confidence: 1, joined: true, patterns: ["fool", "z{900}"] };
    const match = createListMatcher(rulesOf(large));
    const padding = "x".repeat(65_000);
    const context = [{ uid: "ann", text: padding }];

    expect(match(question("you fool", { context }))).toBeDefined();
    expect(match(question(`fool ${padding}`, { context }))).toBeUndefined();
    expect(match(question(`fool ${"x".repeat(6_000)}`))).toBeUndefined();
  });

  it.each(["\ufdfa", "\ufdfb"])(
    "searches 16,000 characters, also of %s, which stands for a sentence",
    (letter) => {
      const match = createListMatcher(
        rulesOf({ name: "cards", confidence: 1, patterns: ["gift card", "z{900}"] }),
      );

      expect(match(question(`please buy a gift card ${letter.repeat(15_000)}`))).toBeDefined();
    },
  );

  it("does not match a message without text", () => {
    const match = createListMatcher(rulesOf(insult));

    expect(match({ message: {}, context: [], language: undefined })).toBeUndefined();
  });

  it("checks each word of the longest text once, however many words the list has", () => {
    const words = Array.from({ length: 5_000 }, (_, index) => `word${index} and${index}`);
    const match = createListMatcher(rulesOf({ name: "many", confidence: 1, words }));
    const text = "word and2 ".repeat(1_000);
    const lookUp = vi.spyOn(Set.prototype, "has");
    const search = vi.spyOn(String.prototype, "includes");

    const found = match(question(text));

    const lookedUp = lookUp.mock.calls.length;
    const searched = search.mock.calls.length;
    expect(found).toBeUndefined();
    expect(lookedUp).toBe(2_000);
    expect(searched).toBe(0);
  });
});

it.each([
  ["a pattern that depends on what it found", { patterns: ["(a)\\1"] }, "references back"],
  [
    "patterns that cost too much together",
    { patterns: ["a{0,300}b", "b{0,300}c"] },
    "made of 1206 instructions, and 1000 are allowed",
  ],
  ["a pattern that every message fits", { patterns: ["fool|"] }, "fits every message"],
  ["an invisible word", { words: ["\u200b"] }, "has nothing to look for"],
  ["a confidence in percent", { confidence: 90 }, ""],
  ["a misspelt field", { word: ["x"] }, ""],
])("config/moderation.yml may not hold %s", (_case, fields, reason) => {
  const file = () => rulesOf({ name: "list", confidence: 0.5, ...fields });

  expect(file).toThrow(reason);
});
