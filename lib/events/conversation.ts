import type { Conversation } from "./types/known-event.ts";

export function conversationOf(message: {
  readonly conversationId?: string | undefined;
  readonly receiverType?: string | undefined;
}): Conversation | undefined {
  const { conversationId, receiverType } = message;
  if (conversationId === undefined) return undefined;
  const isGroup = receiverType === undefined ? isOfGroup(conversationId) : receiverType === "group";
  return { id: conversationId, type: isGroup ? "group" : "user" };
}

/** A uid may begin like a group's id (docs/internals/platform/ids-and-limits.md#conversation-ids). */
export function isOfGroup(conversationId: string): boolean {
  return conversationId.startsWith("group_") && !conversationId.includes("_user_");
}

/** Not the conversation id inside a group object, which was seen to differ. */
export function groupConversation(guid: string): Conversation {
  return { id: `group_${guid}`, type: "group" };
}

/** Both uids, apparently sorted (docs/internals/platform/ids-and-limits.md#conversation-ids). */
export function userConversation(
  uid: string | undefined,
  other: string | undefined,
): Conversation | undefined {
  if (uid === undefined || other === undefined) return undefined;
  return { id: [uid, other].sort().join("_user_"), type: "user" };
}
