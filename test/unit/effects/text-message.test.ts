import { describe, expect, it } from "vitest";
import { checkTextMessage } from "../../../lib/effects/messages/send-text.ts";
import { conversationOfText } from "../../../lib/effects/messages/sending.ts";

describe("conversationOfText", () => {
  it.each([
    ["support", "alice", "alice_user_support"],
    ["B", "a", "a_user_b"],
  ])(
    "names the conversation of %s with %s as the platform does: IDs in lower case, then sorted",
    (onBehalfOf, receiver, id) => {
      expect(conversationOfText({ onBehalfOf, receiver, receiverType: "user" })).toBe(id);
    },
  );

  it("names a group's conversation by its guid in lower case, for any sender", () => {
    const spoken = { receiver: "Lobby", receiverType: "group" } as const;

    expect(conversationOfText({ ...spoken, onBehalfOf: "support" })).toBe("group_lobby");
    expect(conversationOfText({ ...spoken, onBehalfOf: "alice" })).toBe("group_lobby");
  });
});

describe("checkTextMessage", () => {
  const message = { receiver: "lobby", receiverType: "group", onBehalfOf: "support", text: "" } as const;

  it.each([
    message,
    { ...message, receiverType: "user" as const },
    { ...message, metadata: { about: ["x"] } },
  ])("accepts %j", (taken) => {
    expect(() => checkTextMessage("sendText", taken)).not.toThrow();
  });

  it.each([
    ["message", undefined],
    ["text", { ...message, text: undefined }],
    ["receiver", { ...message, receiver: 5 }],
    ["receiverType", { ...message, receiverType: "team" }],
    ["onBehalfOf", { ...message, onBehalfOf: null }],
    ["metadata", { ...message, metadata: "x" }],
    ["message", { ...message, txt: "hi" }],
  ])("names the effect and the field if %s is invalid", (field, wrong) => {
    const check = () => Reflect.apply(checkTextMessage, undefined, ["sendText", wrong]);

    expect(check).toThrow(`Cannot call sendText: "${field}" `);
  });
});
