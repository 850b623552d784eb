import type { ChatClient } from "../../../lib/chat/client.ts";

export async function reasons(chat: ChatClient) {
  // example
  await chat.reasons.create({ id: "off-topic", name: "Off topic" });
  const all = await chat.reasons.list().page(); // the built-in ones have `default`
  // end
  return all;
}

export async function flaggedMessages(chat: ChatClient, messageId: string) {
  // example
  await chat.flaggedMessages.flag(
    messageId,
    { reasonId: "spam", remark: "Twice today" },
    { onBehalfOf: "bob" },
  );
  for await (const { id } of chat.flaggedMessages.list()) {
    if (id) await chat.flaggedMessages.review(id, { status: "approved" });
  }
  // end
}

export async function blockedMessages(chat: ChatClient) {
  // example
  for await (const { message, ruleName } of chat.blockedMessages.list()) {
    console.log(`${ruleName} has blocked a message of ${message?.sender}.`);
    if (message) await chat.blockedMessages.review(message.id, { status: "rejected", reviewed: true });
  }
  // end
}

export async function moderationRules(chat: ChatClient) {
  // example
  await chat.moderationRules.create({
    id: "no-spam",
    name: "No spam",
    enabled: true,
    action: ["blockMessage"],
    conditions: [
      { id: 1, entity: "message", operand: "text", operator: "contains", category: "word", value: ["spam"] },
    ],
  });
  // end
}

export async function keywordLists(chat: ChatClient) {
  // example
  const { id } = await chat.keywordLists.create({ id: "rude", category: "word", searchTerms: ["darn"] });
  await chat.keywordLists.update(id, { category: "word", searchTerms: ["darn", "heck"] });
  // end
}

export async function moderatedMessages(chat: ChatClient) {
  // example
  const { id, data } = await chat.moderatedMessages.send({
    sender: "alice",
    receiver: "bob",
    receiverType: "user",
    type: "text",
    data: { text: "Is this all right?" },
  });
  console.log(id, data?.moderation);
  // end
}
