import { describe, expect, it } from "vitest";
import { whyNotReply } from "../../../../lib/behaviours/replies/decide-reply.ts";

const hourMs = 60 * 60_000;
const fresh = { category: "message", ageMs: 0 };

describe("whyNotReply", () => {
  it.each([
    ["of a person, not judged", fresh],
    ["that was approved", { ...fresh, moderation: "approved" }],
    ["in a state that nobody knows yet", { ...fresh, moderation: "escalated" }],
    ["an hour old", { ...fresh, ageMs: hourMs }],
  ])("has nothing against a message %s", (_case, message) => {
    expect(whyNotReply(message, {}, {})).toBeUndefined();
  });

  it.each([
    ["action", "category"],
    ["call", "category"],
    ["custom", "category"],
    ["something-new", "category"],
  ])("answers no message of the category %s", (category, reason) => {
    expect(whyNotReply({ ...fresh, category }, {}, {})).toBe(reason);
  });

  it("answers other categories where the file says so", () => {
    const rules = { categories: ["message" as const, "custom" as const] };

    expect(whyNotReply({ ...fresh, category: "custom" }, {}, rules)).toBeUndefined();
    expect(whyNotReply({ ...fresh, category: "call" }, {}, rules)).toBe("category");
  });

  it.each(["disapproved", "blocked", "pending"])("answers nothing that is %s", (moderation) => {
    expect(whyNotReply({ ...fresh, moderation }, {}, {})).toBe("moderation");
  });

  it("asks the rule first how old a message may be, then the file, and then takes an hour", () => {
    const old = { ...fresh, ageMs: hourMs + 1 };

    expect(whyNotReply(old, {}, {})).toBe("too-old");
    expect(whyNotReply(old, {}, { maxAge: "2h" })).toBeUndefined();
    expect(whyNotReply(old, { maxAge: "1s" }, { maxAge: "2h" })).toBe("too-old");
    expect(whyNotReply(old, { maxAge: "2h" }, { maxAge: "1s" })).toBeUndefined();
  });
});
