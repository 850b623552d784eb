import { describe, expect, it } from "vitest";
import {
  type AnswerableMessage,
  findReplyRule,
  replyBy,
} from "../../../../lib/behaviours/replies/decide-reply.ts";
import type { ReplyRules } from "../../../../lib/behaviours/replies/reply-rules.ts";

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

/** What a message is answered. */
function decideReply(asked: AnswerableMessage, by: ReplyRules) {
  const rule = findReplyRule(asked, by);
  return rule && replyBy(rule, asked);
}

describe("findReplyRule and replyBy", () => {
  it("answers the sender on behalf of the addressed user, by the first rule that fits", () => {
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

  it("needs all conditions of a rule to hold", () => {
    expect(decideReply(message({ text: "help" }), rules)?.text).toBe("thanks");
    const evening = new Date("2026-03-02T20:00:00Z");
    expect(decideReply(message({ text: "help", sentAt: evening }), rules)?.text).toBe("help comes later");
  });

  it("answers in the group on behalf of the user who speaks there", () => {
    const reply = decideReply(
      message({ receiver: "lobby", receiverType: "group", text: "the rules?" }),
      rules,
    );
    expect(reply).toEqual({ onBehalfOf: "host", receiver: "lobby", receiverType: "group", text: "be kind" });
  });

  it("does not take a group for a user of the same id", () => {
    expect(decideReply(message({ receiver: "support", receiverType: "group" }), rules)).toBeUndefined();
  });

  it.each([
    ["a sender on the ignore list", { sender: "bridge-bot" }],
    ["a user who is the one that answers", { sender: "support" }],
    ["the speaker in a group", { sender: "host", receiver: "lobby", receiverType: "group", text: "rules" }],
    ["another receiver", { receiver: "bob" }],
  ])("answers nothing to %s", (_case, fields) => {
    expect(decideReply(message(fields), rules)).toBeUndefined();
  });
});
