import * as z from "zod/mini";
import { anyObject, decoration, flag, id, number, open, seconds, text } from "./scalars.ts";

const userShape = {
  uid: id,
  name: decoration(text),
  /** May be the empty text. */
  avatar: decoration(text),
  link: decoration(text),
  /** `available`, `offline` or `online`. */
  status: decoration(text),
  role: decoration(text),
  lastActiveAt: decoration(seconds),
  createdAt: decoration(seconds),
  updatedAt: decoration(seconds),
  conversationId: decoration(text),
  metadata: decoration(anyObject),
  tags: decoration(z.array(text)),
  hasBlockedMe: decoration(flag),
  blockedByMe: decoration(flag),
  /** Seconds since 1970; 0 means active. */
  deactivatedAt: decoration(number),
  /** Present in member lists. */
  scope: decoration(text),
  /** Present where a member's scope changed. */
  oldScope: decoration(text),
};

/** @see docs/platform/events.md#users-in-events */
export const userSchema = open(userShape);
export type User = z.output<typeof userSchema>;

/** @see docs/platform/events.md#groups-in-events */
export const groupSchema = open({
  guid: id,
  name: decoration(text),
  /** `public`, `private` or `password`. */
  type: decoration(text),
  description: decoration(text),
  icon: decoration(text),
  owner: decoration(id),
  oldOwner: decoration(id),
  scope: decoration(text),
  membersCount: decoration(number),
  onlineMembersCount: decoration(number),
  hasJoined: decoration(flag),
  joinedAt: decoration(seconds),
  conversationId: decoration(text),
  createdAt: z.optional(seconds),
  updatedAt: z.optional(seconds),
  updatedBy: decoration(id),
  tags: decoration(z.array(text)),
  metadata: decoration(anyObject),
});
export type Group = z.output<typeof groupSchema>;

/** Reads a map from uid to user as a list; a user without uid gets the one that names it in the map. */
export const userMapSchema = z.pipe(
  z.record(z.string(), open({ ...userShape, uid: z.optional(id) })),
  z.transform((users): User[] =>
    Object.entries(users).map(([uid, user]) => ({ ...user, uid: user.uid ?? uid })),
  ),
);
