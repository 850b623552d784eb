import type { Conversation } from "./types/event-head.ts";

/** Names the conversation of a message, if the message does. */
export function conversationOf(message: {
  readonly conversationId?: string | undefined;
  readonly receiverType?: string | undefined;
}): Conversation | undefined {
  const { conversationId, receiverType } = message;
  if (conversationId === undefined) return undefined;
  const isGroup = receiverType === undefined ? conversationId.startsWith("group_") : receiverType === "group";
  return { id: conversationId, type: isGroup ? "group" : "user" };
}

/** Names a group's conversation. The id inside a group object was seen to differ from its guid; the guid is right. */
export function groupConversation(guid: string): Conversation {
  return { id: `group_${guid}`, type: "group" };
}

/**
 * Names the conversation of two people: their uids, apparently sorted (docs/platform/ids-and-limits.md#conversation-ids).
 */
export function userConversation(
  uid: string | undefined,
  other: string | undefined,
): Conversation | undefined {
  if (uid === undefined || other === undefined) return undefined;
  return { id: [uid, other].sort().join("_user_"), type: "user" };
}
