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

const userShape = {
  uid: id,
  name: optional(text),
  /** May be the empty text. */
  avatar: optional(text),
  link: optional(text),
  /** `available`, `offline` or `online`. */
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
  /** Seconds since 1970; 0 means active. */
  deactivatedAt: optional(number),
  /** Present in member lists. */
  scope: optional(text),
  /** Present where a member's scope changed. */
  oldScope: optional(text),
};

/** @see docs/platform/events.md#users-in-events */
export const userSchema = open(userShape);
export type User = z.output<typeof userSchema>;

/** @see docs/platform/events.md#groups-in-events */
export const groupSchema = open({
  guid: id,
  name: optional(text),
  /** `public`, `private` or `password`. */
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
export type Group = z.output<typeof groupSchema>;

/** Reads a map from uid to user. */
export const userMapSchema = mapByUid(orEmpty(open({ ...userShape, uid: optional(id) })));

/** Lists the users of a map; one without uid gets the name that it has in the map. */
export function toUsers(map: z.output<typeof userMapSchema>): User[] {
  return Object.entries(map).map(([uid, user]) => ({ ...user, uid: user.uid ?? uid }));
}
