import type { ChatClient } from "../../../lib/chat/client.ts";

export async function messages(chat: ChatClient) {
  // example
  const { id } = await chat.messages.send(
    { receiver: "bob", receiverType: "user", type: "text", data: { text: "It is on its way 📦" } },
    { onBehalfOf: "alice" },
  );
  await chat.messages.update(id, { data: { text: "It has arrived 📦" } }, { onBehalfOf: "alice" });
  const newest = await chat.messages.listForGroup("lobby", { affix: "prepend", limit: 20 }).page();
  // end
  return newest;
}

export async function threads(chat: ChatClient, messageId: string) {
  // example
  await chat.threads.reply(
    messageId,
    { receiver: "bob", receiverType: "user", type: "text", data: { text: "Which one?" } },
    { onBehalfOf: "alice" },
  );
  const replies = await chat.threads.listReplies(messageId, {}, { onBehalfOf: "alice" }).page();
  // end
  return replies;
}

export async function reactions(chat: ChatClient, messageId: string) {
  // example
  await chat.reactions.add(messageId, "👍", { onBehalfOf: "bob" });
  for await (const { uid, reaction } of chat.reactions.list(messageId)) console.log(`${uid}: ${reaction}`);
  // end
}

export async function bots(chat: ChatClient) {
  // example
  await chat.bots.send("helper", {
    receiver: "alice",
    receiverType: "user",
    type: "text",
    data: { text: "How can I help?" },
  });
  // end
}

export async function conversations(chat: ChatClient) {
  // example
  for await (const { conversationId, unreadMessageCount } of chat.conversations.list(
    {},
    { onBehalfOf: "alice" },
  )) {
    console.log(conversationId, unreadMessageCount);
  }
  // end
}

export async function userConversations(chat: ChatClient) {
  // example
  const withBob = await chat.userConversations.get("bob", { onBehalfOf: "alice" });
  if (withBob.unreadMessageCount) await chat.userConversations.markRead("bob", {}, { onBehalfOf: "alice" });
  await chat.userConversations.pin("bob", { onBehalfOf: "alice" });
  // end
}

export async function calls(chat: ChatClient) {
  // example
  for await (const call of chat.calls.list()) {
    if (call.sessionId) console.log((await chat.calls.get(call.sessionId)).totalDuration);
  }
  // end
}
