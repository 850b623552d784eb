import type { Peer } from "./chat-types.ts";

const between = "_user_";

/**
 * Ids may contain the separators, so the user's own uid is matched first.
 * @see docs/internals/platform/ids-and-limits.md#conversation-ids
 */
export function peerOf(uid: string, conversationId: string): Peer | undefined {
  if (conversationId.startsWith(uid + between)) {
    const id = conversationId.slice(uid.length + between.length);
    if (conversationOf(uid, { type: "user", id }) === conversationId) return { type: "user", id };
  }
  if (conversationId.endsWith(between + uid)) {
    const id = conversationId.slice(0, -(uid.length + between.length));
    if (conversationOf(uid, { type: "user", id }) === conversationId) return { type: "user", id };
  }
  if (conversationId.startsWith("group_")) return { type: "group", id: conversationId.slice(6) };
  return undefined;
}

export function conversationOf(uid: string, peer: Peer): string {
  if (peer.type === "group") return `group_${peer.id}`;
  return uid < peer.id ? uid + between + peer.id : peer.id + between + uid;
}
