import { describe, expect, it } from "vitest";
import {
  type AnswerableMessage,
  findReplyRule,
  isWithinOfficeHours,
  replyBy,
  skipReason,
} from "../../../../lib/behaviours/replies/decide-reply.ts";
import type { OfficeHours, ReplyRules } from "../../../../lib/behaviours/replies/reply-rules.ts";

const rules: ReplyRules = {
  ignoreSenders: ["bridge-bot"],
  rules: [
    { receiver: "support", when: { words: ["price"] }, text: "about prices" },
    {
      receiver: "support",
      when: {
        words: ["help"],
        outsideOfficeHours: { timeZone: "Europe/Berlin", days: ["mon"], from: "09:00", to: "17:00" },
      },
      text: "help comes later",
    },
    { receiver: "support", text: "thanks" },
    { group: "lobby", as: "host", when: { words: ["rules"] }, text: "be kind" },
  ],
};

const mondayNoonInBerlin = new Date("2026-03-02T11:00:00Z");
const message = (fields: Partial<AnswerableMessage>): AnswerableMessage => ({
  sender: "alice",
  receiver: "support",
  receiverType: "user",
  text: "hello",
  sentAt: mondayNoonInBerlin,
  ...fields,
});

/** Returns the reply to a message. */
function decideReply(asked: AnswerableMessage, by: ReplyRules) {
  const rule = findReplyRule(asked, by);
  return rule && replyBy(rule, asked);
}

describe("findReplyRule and replyBy", () => {
  it("answers the sender on behalf of the addressed user, by the first matching rule", () => {
    expect(decideReply(message({ text: "What is the PRICE?" }), rules)).toEqual({
      onBehalfOf: "support",
      receiver: "alice",
      receiverType: "user",
      text: "about prices",
    });
  });

  it("falls through to a rule without conditions, also for a message without text", () => {
    expect(decideReply(message({ text: undefined }), rules)?.text).toBe("thanks");
  });

  it("requires all conditions of a rule", () => {
    expect(decideReply(message({ text: "help" }), rules)?.text).toBe("thanks");
    const evening = new Date("2026-03-02T20:00:00Z");
    expect(decideReply(message({ text: "help", sentAt: evening }), rules)?.text).toBe("help comes later");
  });

  it("answers in the group on behalf of the user who sends there", () => {
    const reply = decideReply(
      message({ receiver: "lobby", receiverType: "group", text: "the rules?" }),
      rules,
    );
    expect(reply).toEqual({ onBehalfOf: "host", receiver: "lobby", receiverType: "group", text: "be kind" });
  });

  it("does not confuse a group with a user of the same id", () => {
    expect(decideReply(message({ receiver: "support", receiverType: "group" }), rules)).toBeUndefined();
  });

  it.each([
    ["a sender on the ignore list", { sender: "bridge-bot" }],
    ["the answering user", { sender: "support" }],
    ["the speaker in a group", { sender: "host", receiver: "lobby", receiverType: "group", text: "rules" }],
    ["another receiver", { receiver: "bob" }],
  ])("does not answer %s", (_case, fields) => {
    expect(decideReply(message(fields), rules)).toBeUndefined();
  });
});

const berlin: OfficeHours = { timeZone: "Europe/Berlin", days: ["mon", "fri"], from: "09:00", to: "17:00" };

describe("isWithinOfficeHours", () => {
  it.each([
    ["at opening time in winter (UTC+1)", "2026-03-02T08:00:00Z", true],
    ["a minute before opening in winter", "2026-03-02T07:59:59Z", false],
    ["at opening time in summer (UTC+2)", "2026-07-06T07:00:00Z", true],
    ["at closing time", "2026-03-02T16:00:00Z", false],
    ["on a day off", "2026-03-03T11:00:00Z", false],
  ])("decides on %s", (_case, moment, expected) => {
    expect(isWithinOfficeHours(new Date(moment), berlin)).toBe(expected);
  });

  it("takes the day from the configured time zone, not from UTC", () => {
    const auckland: OfficeHours = { timeZone: "Pacific/Auckland", days: ["mon"], from: "08:00", to: "12:00" };
    expect(isWithinOfficeHours(new Date("2026-03-01T20:30:00Z"), auckland)).toBe(true);
  });
});

const hourMs = 60 * 60_000;
const fresh = { category: "message", ageMs: 0 };

describe("whyNotReply", () => {
  it.each([
    ["of a person, not judged", fresh],
    ["that is reported as sent with the status pending", { ...fresh, moderation: "pending" }],
    ["in an unknown state", { ...fresh, moderation: "escalated" }],
    ["an hour old", { ...fresh, ageMs: hourMs }],
  ])("allows a reply to a message %s", (_case, message) => {
    expect(skipReason(message, {}, {})).toBeUndefined();
  });

  it.each([
    ["action", "category"],
    ["something-new", "category"],
  ])("refuses a reply to a message of the category %s", (category, reason) => {
    expect(skipReason({ ...fresh, category }, {}, {})).toBe(reason);
  });

  it("allows other categories if the file does", () => {
    const rules = { categories: ["message" as const, "custom" as const] };

    expect(skipReason({ ...fresh, category: "custom" }, {}, rules)).toBeUndefined();
    expect(skipReason({ ...fresh, category: "call" }, {}, rules)).toBe("category");
  });

  it.each(["disapproved", "blocked"])("refuses a reply to a message that is %s", (moderation) => {
    expect(skipReason({ ...fresh, moderation }, {}, {})).toBe("moderation");
  });

  it("takes a message's maximum age from the rule, then from the file, then one hour", () => {
    const old = { ...fresh, ageMs: hourMs + 1 };

    expect(skipReason(old, {}, {})).toBe("too-old");
    expect(skipReason(old, {}, { maxAge: "2h" })).toBeUndefined();
    expect(skipReason(old, { maxAge: "1s" }, { maxAge: "2h" })).toBe("too-old");
    expect(skipReason(old, { maxAge: "2h" }, { maxAge: "1s" })).toBeUndefined();
  });
});
