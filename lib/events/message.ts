import type * as z from "zod/mini";
import {
  anyObject,
  anything,
  each,
  filledText,
  flag,
  id,
  listOf,
  mapByUid,
  number,
  open,
  optional,
  orEmpty,
  text,
  time,
} from "./scalars.ts";
import type { User } from "./types/users-and-groups.ts";

const userShape = {
  uid: id,
  ...each(["name", "avatar", "link", "status", "role", "conversationId", "scope", "oldScope"], text),
  ...each(["lastActiveAt", "createdAt", "updatedAt"], time),
  ...each(["hasBlockedMe", "blockedByMe"], flag),
  deactivatedAt: optional(number),
  metadata: optional(anyObject),
  tags: optional(listOf(text)),
};

export const userSchema = open(userShape);

export const groupSchema = open({
  guid: id,
  ...each(["name", "type", "description", "icon", "scope", "conversationId"], text),
  ...each(["owner", "oldOwner", "updatedBy"], id),
  ...each(["membersCount", "onlineMembersCount"], number),
  ...each(["joinedAt", "createdAt", "updatedAt"], time),
  hasJoined: optional(flag),
  metadata: optional(anyObject),
  tags: optional(listOf(text)),
});

export const userMapSchema = mapByUid(orEmpty(open({ ...userShape, uid: optional(id) })));

/** A user without a uid gets the map's key. */
export function toUsers(map: z.output<typeof userMapSchema>): readonly User[] {
  return Object.entries(map).map(([uid, user]) => ({ ...user, uid: user.uid ?? uid }));
}

const attachmentSchema = open({
  ...each(["url", "name", "extension", "mimeType"], text),
  size: optional(number),
});

const toolCallSchema = open({
  ...each(["id", "type", "displayName", "executionText"], text),
  function: optional(open(each(["name", "arguments"], text))),
});

const contentSchema = open({
  ...each(["text", "url", "resource", "action", "runId", "threadId", "toolCallId"], text),
  toolCalls: optional(listOf(toolCallSchema)),
  elements: optional(listOf(open({ type: optional(text), value: optional(anything) }))),
  ...each(["customData", "metadata"], anyObject),
  attachments: optional(listOf(attachmentSchema)),
  mentions: optional(mapByUid(userSchema)),
  moderation: optional(open({ status: optional(text), rule: optional(open({ id: optional(id) })) })),
  entities: optional(
    open({
      ...each(["sender", "by"], open({ entity: optional(userSchema), entityType: optional(text) })),
      ...each(["receiver", "for", "on"], open({ entity: optional(anyObject), entityType: optional(text) })),
    }),
  ),
});

const optionalShape = {
  ...each(["muid", "category", "type"], text),
  ...each(
    ["sentAt", "updatedAt", "deliveredAt", "readAt", "editedAt", "deletedAt", "pinnedAt", "unpinnedAt"],
    time,
  ),
  ...each(["editedBy", "deletedBy", "pinnedBy", "unpinnedBy", "parentId"], id),
  tags: optional(listOf(text)),
  receipts: optional(anyObject),
};

/** Without sender and receiver, a message cannot be answered, ordered or counted. */
const unsentShape = {
  ...optionalShape,
  id: optional(id),
  conversationId: id,
  sender: id,
  receiverType: filledText,
  receiver: id,
  data: orEmpty(contentSchema),
};

export const messageSchema = open({ ...unsentShape, id });

export const unsentMessageSchema = open(unsentShape);

export const partialMessageSchema = open({
  ...optionalShape,
  id,
  ...each(["conversationId", "sender", "receiver"], id),
  receiverType: optional(text),
  data: optional(contentSchema),
});
