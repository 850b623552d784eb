import { describe, expect, it } from "vitest";
import type { Message } from "../../../../local/console/page/views/chat/chat-api.ts";
import {
  attachmentsOf,
  describeMessage,
  moderationOf,
  senderName,
  shownReactions,
  splitMentions,
} from "../../../../local/console/page/views/chat/message-words.ts";

describe("sayMessage", () => {
  it.each<[string, Partial<Message>]>([
    ["Hi @Bob", { data: { text: "Hi <@uid:bob>", mentions: { bob: { name: "Bob" } } } }],
    ["Message deleted", { deletedAt: 5, data: { text: "gone" } }],
    ["cat.png", { type: "image", data: { attachments: [{ url: "http://a/cat.png" }] } }],
    ["Custom message of type location", { category: "custom", type: "location", data: {} }],
    [
      "Ann added Bob",
      { category: "action", type: "groupMember", data: { action: "added", entities: by("Ann", "Bob") } },
    ],
    ["Ann edited message 4", { category: "action", data: { action: "edited", entities: by("Ann", "x") } }],
    [
      "Ann rejected the video call",
      { category: "call", type: "video", data: { action: "rejected", entities: by("Ann", "x") } },
    ],
    [
      "Ann: voice call paused",
      { category: "call", type: "audio", data: { action: "paused", entities: by("Ann", "x") } },
    ],
    [
      'Asks Stock: {"item":"tea"}',
      {
        category: "agentic",
        type: "tool-arguments",
        data: {
          toolCalls: [{ displayName: "Stock", function: { name: "stock", arguments: '{"item":"tea"}' } }],
        },
      },
    ],
    [
      'The tool answers: {"stock":7}',
      { category: "agentic", type: "tool-result", data: { text: '{"stock":7}' } },
    ],
    ["Interactive message of type form", { category: "interactive", type: "form", data: {} }],
  ])("returns “%s”", (words, message) => {
    expect(describeMessage({ ...text, ...message })).toBe(words);
  });

  it("accepts data of any shape", () => {
    const odd = { text: 5, attachments: [null, 1, { url: 2 }], reactions: "x", entities: 3, moderation: [] };
    const message: Message = { ...text, data: odd };

    expect(describeMessage(message)).toBe("text");
    expect(attachmentsOf(message)).toEqual([]);
    expect(shownReactions(message)).toEqual([]);
    expect(moderationOf(message)).toBeUndefined();
    expect(senderName(message)).toBe("ann");
  });
});

it("splitMentions shows the uid of an unknown user", () => {
  expect(splitMentions("<@uid:constructor> and <@uid:zoe>!", {})).toEqual([
    { text: "@constructor", isMention: true },
    { text: " and ", isMention: false },
    { text: "@zoe", isMention: true },
    { text: "!", isMention: false },
  ]);
});

it("moderationOf names the deciding rule", () => {
  const data = { moderation: { status: "disapproved", rule: { id: "r1", name: "Insults" } } };
  expect(moderationOf({ ...text, data })).toEqual({ status: "disapproved", rule: "Insults" });
});

it("attachmentsOf finds the address in a message of the older form", () => {
  expect(attachmentsOf({ ...text, type: "image", data: { url: "https://example.com/cat.png" } })).toEqual([
    { url: "https://example.com/cat.png", name: "cat.png", mimeType: "", size: undefined },
  ]);
});

const text: Message = {
  id: "1",
  conversationId: "ann_user_bob",
  sender: "ann",
  receiver: "bob",
  receiverType: "user",
  category: "message",
  type: "text",
  data: {},
  sentAt: 1,
};

function by(name: string, on: string) {
  return { by: { entity: { name } }, on: { entity: { name: on, id: "4" } } };
}
