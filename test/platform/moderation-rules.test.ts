import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type CustomAnswer,
  evaluateRules,
  matchesFilter,
  matchesText,
  similarityPercent,
} from "../../local/platform/moderation/evaluate.ts";
import type {
  Condition,
  KeywordList,
  ModerationRule,
} from "../../local/platform/moderation/moderation-store.ts";
import type { Message } from "../../local/platform/store/messages.ts";
import { runs } from "../helpers/property-runs.ts";

describe("matchesText", () => {
  it.each([
    ["a word in any case", { value: ["Bad"] }, "this is BAD!", true],
    ["no part of a word", { value: ["bad"] }, "badminton", false],
    ["no end of a word", { value: ["bad"] }, "notbad", false],
    ["a later whole word after a part", { value: ["bad"] }, "badminton is bad", true],
    ["words of other scripts", { value: ["плохо"] }, "очень плохо.", true],
    ["several words in a row", { value: ["bloody hell"] }, "oh bloody hell", true],
    ["the whole text only", { value: ["bad"], operator: "equals" }, "so bad", false],
    ["the whole text", { value: ["bad"], operator: "equals" }, " Bad ", true],
    ["a pattern", { category: "pattern", value: ["\\d{3}-\\d{4}"] }, "call 555-1234", true],
    ["a whole pattern only", { category: "pattern", operator: "equals", value: ["\\d+"] }, "no 1", false],
    ["nothing by a broken pattern", { category: "pattern", value: ["("] }, "(", false],
    [
      "nothing by the platform's models",
      { category: "toxicity", value: ["toxicity_greaterThan_1"] },
      "x",
      false,
    ],
    ["nothing without words", { value: ["", " "] }, "", false],
    ["a word of a list", { isKeywordsReferencePresent: true, value: ["words"] }, "oh darn", true],
    ["nothing by an unknown list", { isKeywordsReferencePresent: true, value: ["none"] }, "none", false],
    [
      "a similar sentence",
      { isKeywordsReferencePresent: true, value: ["spam_greaterThan_50"] },
      "Buy now and receive it free",
      true,
    ],
    [
      "no sentence that is too unlike",
      { isKeywordsReferencePresent: true, value: ["spam_greaterThan_90"] },
      "Buy now and receive it free",
      false,
    ],
  ])("finds %s", (_name, fields, text, expected) => {
    expect(matchesText(condition(fields), text, lists)).toBe(expected);
  });

  it("never throws, whatever the text, words and patterns", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.constantFrom("word", "pattern"), (text, value, category) => {
        expect(typeof matchesText(condition({ category, value: [value.slice(0, 8)] }), text, lists)).toBe(
          "boolean",
        );
      }),
      runs(),
    );
  });
});

describe("similarityPercent", () => {
  it("is 100 for equal sentences, 0 for unrelated ones, and symmetric", () => {
    expect(similarityPercent("Free offer", "free OFFER!")).toBe(100);
    expect(similarityPercent("a b", "c d")).toBe(0);
    expect(similarityPercent("", "")).toBe(0);
    fc.assert(
      fc.property(fc.lorem(), fc.lorem(), (left, right) => {
        expect(similarityPercent(left, right)).toBe(similarityPercent(right, left));
      }),
      runs(),
    );
  });
});

describe("matchesFilter", () => {
  it.each([
    ["sender", "user", "role", "equals", "vip", true],
    ["sender", "user", "role", "not equals", "vip", false],
    ["sender", "user", "role", "notIn", "a, vip", false],
    ["sender", "user", "uid", "in", "bob, alice", true],
    ["sender", "user", "name", "startsWith", "Al", true],
    ["sender", "user", "tags", "equals", "new", true],
    ["sender", "user", "createdAt", "greaterThan", "50", true],
    ["sender", "user", "createdAt", "lessThan", "50", false],
    ["receiver", "group", "guid", "endsWith", "by", true],
    ["receiver", "user", "uid", "equals", "lobby", false],
    ["sender", "user", "uid", "resembles", "alice", false],
  ] as const)("%s %s %s %s %s: %s", (type, entity, operand, operator, value, expected) => {
    expect(matchesFilter({ type, entity, operand, operator, value }, parties)).toBe(expected);
  });
});

describe("evaluateRules", () => {
  it("does not judge messages without an enabled rule for them", async () => {
    const off = rule({ enabled: false, conditions: [condition({ value: ["bad"] })] });
    const image = rule({ conditions: [condition({ operand: "image" })] });

    const judgement = await evaluate([off, image], "bad");

    expect(judgement).toEqual({
      isJudged: false,
      matched: [],
      blocking: undefined,
      entries: [],
      failures: [],
    });
  });

  it("blocks by the first matching rule and names its condition", async () => {
    const first = rule({ id: "first", conditions: [condition({ value: ["good"] })] });
    const second = rule({ id: "second", conditions: [condition({ id: 4, value: ["bad"], message: ["M"] })] });

    const judgement = await evaluate([first, second], "bad");

    expect(judgement.blocking?.rule.id).toBe("second");
    expect(judgement.entries).toMatchObject([
      {
        condition: { id: 4, message: "M" },
        rule: { id: "second", action: ["blockMessage"], blockedAt: 100 },
      },
    ]);
  });

  it("accepts messages that a filter excludes and records the filter", async () => {
    const filter = {
      type: "sender",
      entity: "user",
      operand: "role",
      operator: "equals",
      value: "x",
    } as const;

    const judgement = await evaluate(
      [rule({ conditions: [condition({ value: ["bad"] })], filters: [filter] })],
      "bad",
    );

    expect(judgement.blocking).toBeUndefined();
    expect(judgement.entries).toMatchObject([{ filter, rule: { id: "r" } }]);
  });

  it.each([
    ["confident", { kind: "answered", isMatchingCondition: true, confidence: 0.81 }, true],
    ["not confident enough", { kind: "answered", isMatchingCondition: true, confidence: 0.8 }, false],
    ["no match", { kind: "answered", isMatchingCondition: false, confidence: 1 }, false],
    [
      "failed, approve-message",
      { kind: "failed", isBlocking: false, failure: { category: "timeout" } },
      false,
    ],
    ["failed, drop-message", { kind: "failed", isBlocking: true, failure: { category: "timeout" } }, true],
  ] as const)("lets the customer's service decide: %s", async (_name, answer, isBlocked) => {
    const custom = condition({
      category: "custom-api",
      isKeywordsReferencePresent: true,
      value: ["check_greaterThan_80"],
    });

    const judgement = await evaluate([rule({ conditions: [custom] })], "x", answer);

    expect(judgement.blocking !== undefined).toBe(isBlocked);
    expect(judgement.failures).toHaveLength(answer.kind === "failed" ? 1 : 0);
  });
});

function evaluate(rules: ModerationRule[], text: string, answer?: CustomAnswer) {
  const message: Message = {
    id: "1",
    conversationId: "group_lobby",
    sender: "alice",
    receiverType: "group",
    receiver: "lobby",
    category: "message",
    type: "text",
    data: { text },
    sentAt: 1,
    updatedAt: 1,
  };
  const ask = async (): Promise<CustomAnswer> => {
    if (answer === undefined) throw new Error("Nobody was to be asked.");
    return answer;
  };
  return evaluateRules({ rules, lists, message, parties, ask, nowSeconds: 100 });
}

function condition(fields: Partial<Condition>): Condition {
  return {
    id: 1,
    isKeywordsReferencePresent: false,
    isMediaPresent: false,
    entity: "message",
    operand: "text",
    category: "word",
    operator: "contains",
    value: [],
    message: [],
    ...fields,
  };
}

const stamp = { createdAt: 1, updatedAt: 1, active: true };

function rule(fields: Partial<ModerationRule>): ModerationRule {
  return {
    id: "r",
    name: "R",
    enabled: true,
    conditions: [],
    action: ["blockMessage"],
    revisionId: "app_r_1",
    ...stamp,
    ...fields,
  };
}

const listBase = { isCSV: false, revisionId: "l_1", ...stamp };
const lists = new Map<string, KeywordList>([
  ["words", { id: "words", name: "W", category: "word", searchTerms: ["darn"], ...listBase }],
  [
    "spam",
    {
      id: "spam",
      name: "S",
      category: "sentence-similarity",
      searchTerms: [],
      disallowedSentences: ["Buy now and receive free shipping"],
      ...listBase,
    },
  ],
]);

const parties = {
  sender: { uid: "alice", name: "Alice", status: "offline", role: "vip", tags: ["new"], createdAt: 100 },
  receiver: {
    group: {
      guid: "lobby",
      name: "Lobby",
      type: "public",
      membersCount: 1,
      conversationId: "group_lobby",
      createdAt: 1,
      owner: "alice",
    },
  },
};
