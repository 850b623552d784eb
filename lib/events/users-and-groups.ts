import type * as z from "zod/mini";
import {
  anyObject,
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
import type { User } from "./types/user.ts";

const userShape = {
  uid: id,
  name: optional(text),
  avatar: optional(text),
  link: optional(text),
  status: optional(text),
  role: optional(text),
  lastActiveAt: optional(time),
  createdAt: optional(time),
  updatedAt: optional(time),
  conversationId: optional(text),
  metadata: optional(anyObject),
  tags: optional(listOf(text)),
  hasBlockedMe: optional(flag),
  blockedByMe: optional(flag),
  deactivatedAt: optional(number),
  scope: optional(text),
  oldScope: optional(text),
};

export const userSchema = open(userShape);

export const groupSchema = open({
  guid: id,
  name: optional(text),
  type: optional(text),
  description: optional(text),
  icon: optional(text),
  owner: optional(id),
  oldOwner: optional(id),
  scope: optional(text),
  membersCount: optional(number),
  onlineMembersCount: optional(number),
  hasJoined: optional(flag),
  joinedAt: optional(time),
  conversationId: optional(text),
  createdAt: optional(time),
  updatedAt: optional(time),
  updatedBy: optional(id),
  tags: optional(listOf(text)),
  metadata: optional(anyObject),
});

export const userMapSchema = mapByUid(orEmpty(open({ ...userShape, uid: optional(id) })));

/** Lists the users of a map. A user without a uid gets the map's key. */
export function toUsers(map: z.output<typeof userMapSchema>): readonly User[] {
  return Object.entries(map).map(([uid, user]) => ({ ...user, uid: user.uid ?? uid }));
}
