import { describe, expect, it } from "vitest";
import { createMentions } from "../../../../lib/operate/personal-data/personal-store.ts";

describe("createMentions", () => {
  const mentions = createMentions("mia-77");

  it.each([
    ["a whole value", { sender: "mia-77" }],
    ["another case", { sender: "MIA-77" }],
    ["the name of a field", { reactions: { "mia-77": {} } }],
    ["JSON in a text in a list", [{ body: JSON.stringify({ data: [{ uid: "mia-77" }] }) }]],
    ["JSON that is a text", { value: '"mia-77"' }],
    ["a mention in a text", { text: "Ask <@uid:mia-77>!" }],
    ["a conversation's id", { conversationId: "ben_user_mia-77" }],
    ["a delivery key within a key", { holder: "shop|call_missed|1\\|mia-77|9" }],
    ["a cause", { cause: "The user mia-77 does not exist" }],
  ])("finds a uid as %s", (_case, value) => {
    expect(mentions(value)).toBe(true);
  });

  it.each([
    ["a longer uid", { sender: "mia-771", receiver: "xmia-77" }],
    ["a conversation of a longer uid", { conversationId: "ben_user_xmia-77" }],
    ["a longer uid in a cause", { cause: "The user mia-77-b" }],
    ["a text of another user", { text: "mia-77" }],
    ["a text in brackets or quotes", { text: '[mia-77] says "mia-77"' }],
    ["a group of this id", { receiver: "mia-77", receiverType: "group", guid: "mia-77" }],
    ["a name, a type, null", { name: "mia-77", type: "mia-77", at: 77, none: null }],
  ])("does not find a uid in %s", (_case, value) => {
    expect(mentions(value)).toBe(false);
  });

  it("does not confuse a message's id with a numeric uid", () => {
    const isFound = createMentions("42");

    expect(isFound({ id: "42", parentId: "42", key: "shop|message_sent|42" })).toBe(false);
    expect(isFound({ id: "7", sender: "42" })).toBe(true);
  });

  it.each(["data", "message", "status", "user", "webhook", "us", "web", "custom"])(
    "finds a user named %s only in events of that user",
    (uid) => {
      const message = { sender: "ben", entityType: "user", type: "text", status: "sent", resource: "web-1" };
      const event = { webhook: "custom", region: "us", platform: "web", data: { message, user: {} } };
      const cause = "The user got no message: no data, status 500";

      expect(createMentions(uid)({ ...event, cause })).toBe(false);
      expect(createMentions(uid)({ data: { message: { ...message, sender: uid } } })).toBe(true);
      expect(createMentions(uid)({ data: { members: { [uid]: {} } } })).toBe(true);
    },
  );

  it("finds a uid as a word in broken JSON", () => {
    expect(mentions('{"sender":"mia-77","te')).toBe(true);
  });
});
