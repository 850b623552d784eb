import { defined, isJsonObject, type JsonObject } from "../json.ts";
import type { Message } from "../store/messages.ts";

// Omits time and count. @see docs/internals/platform/other-calls.md#push

export function chatDetails(message: Message): JsonObject {
  return {
    ...partiesOf(message),
    title: titleOf(message, nameOf(message, "sender") ?? message.sender),
    body: typeof message.data.text === "string" ? message.data.text : `Has shared a ${message.type}`,
    type: "chat",
  };
}

export function reactionDetails(
  message: Message,
  reaction: { by: { uid: string; name: string; avatar?: string }; emoji: string; isOwn: boolean },
): JsonObject {
  const { by, emoji, isOwn } = reaction;
  const { senderAvatar: _senderAvatar, ...parties } = partiesOf(message);
  return defined({
    ...parties,
    sender: by.uid,
    senderName: by.name,
    senderAvatar: by.avatar,
    title: titleOf(message, by.name),
    body: `Reacted to ${isOwn ? "your" : "a"} message: ${emoji}`,
    type: "chat",
  });
}

export function groupActionDetails(action: Message): JsonObject {
  const by = nameOf(action, "by") ?? action.sender;
  const on = nameOf(action, "on") ?? "a member";
  return {
    ...partiesOf(action),
    title: nameOf(action, "for") ?? action.receiver,
    body: sentences[String(action.data.action)]?.(by, on) ?? String(action.data.action),
    tag: action.receiver,
    type: "chat",
  };
}

export function callDetails(message: Message, callType: string): JsonObject {
  return {
    ...partiesOf(message),
    title: nameOf(message, "by") ?? message.sender,
    body: `${callType.toUpperCase()} CALL`,
    type: "call",
  };
}

// The first sentence is printed; the others follow its form.
const sentences: Record<string, (by: string, on: string) => string> = {
  left: (by) => `${by} has left`,
  joined: (by) => `${by} has joined`,
  added: (by, on) => `${by} has added ${on}`,
  kicked: (by, on) => `${by} has kicked ${on}`,
  banned: (by, on) => `${by} has banned ${on}`,
  unbanned: (by, on) => `${by} has unbanned ${on}`,
  scopeChanged: (by, on) => `${by} has changed the scope of ${on}`,
};

function titleOf(message: Message, name: string) {
  return message.receiverType === "group"
    ? `${name} @ ${nameOf(message, "receiver") ?? message.receiver}`
    : name;
}

function partiesOf(message: Message) {
  const sender = entityOf(message, "sender") ?? entityOf(message, "by");
  const receiver = entityOf(message, "receiver") ?? entityOf(message, "for");
  return defined({
    sender: message.sender,
    senderName: sender?.name,
    senderAvatar: sender?.avatar,
    receiver: message.receiver,
    receiverName: receiver?.name,
    receiverAvatar: receiver?.avatar ?? receiver?.icon,
    receiverType: message.receiverType,
    tag: message.id,
    conversationId: message.conversationId,
  });
}

function nameOf(message: Message, role: string) {
  const name = entityOf(message, role)?.name;
  return typeof name === "string" ? name : undefined;
}

export function entityOf(message: Message, role: string): JsonObject | undefined {
  const { entities } = message.data;
  const holder = isJsonObject(entities) ? entities[role] : undefined;
  return isJsonObject(holder) && isJsonObject(holder.entity) ? holder.entity : undefined;
}
