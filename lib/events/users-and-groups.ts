import type * as z from "zod/mini";
import {
  anyObject,
  each,
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
