import { defined, type JsonObject, omit } from "../json.ts";
import type { Group } from "../store/groups.ts";
import type { Recipient } from "../store/messages.ts";
import type { User } from "../store/users.ts";

/** @see docs/internals/platform/ids-and-limits.md#conversation-ids (sorted: inferred) */
export function userConversationId(uidA: string, uidB: string): string {
  return uidA < uidB ? `${uidA}_user_${uidB}` : `${uidB}_user_${uidA}`;
}

/** @see docs/internals/platform/ids-and-limits.md#conversation-ids */
export function groupConversationId(guid: string): string {
  return `group_${guid}`;
}

export function showUser(user: User, viewerUid?: string, withTags = false): JsonObject {
  return {
    ...(withTags ? user : omit(user, "tags")),
    ...(viewerUid !== undefined &&
      viewerUid !== user.uid && { conversationId: userConversationId(viewerUid, user.uid) }),
  };
}

/** Takes reader-dependent fields from the membership. */
export function showGroup(
  group: Group,
  membership: { scope: string; joinedAt: number } | undefined,
  withTags = true,
): JsonObject {
  return {
    ...(withTags ? group : omit(group, "tags")),
    ...(membership && { scope: membership.scope, joinedAt: membership.joinedAt, hasJoined: true }),
  };
}

/** Returns the user snapshot inside `data.entities` (no tags or metadata, as in the examples). */
export function userEntity(user: User, conversationId?: string): JsonObject {
  const shown = omit(user, "tags", "metadata", "deactivatedAt");
  return { entity: { ...shown, ...defined({ conversationId }) }, entityType: "user" };
}

export function recipientId(recipient: Recipient): string {
  return recipient.type === "user" ? recipient.user.uid : recipient.group.guid;
}

export function recipientEntity(recipient: Recipient, conversationId?: string): JsonObject {
  return recipient.type === "user"
    ? userEntity(recipient.user, conversationId)
    : { entity: recipient.group, entityType: "group" };
}
