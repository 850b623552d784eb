import * as z from "zod/mini";
import { acknowledgement, itemResults, maybe, maybeNumber, maybeText } from "../answers.ts";
import type { AtLeastOne } from "../needs.ts";
import type { Family } from "../operation.ts";
import {
  ids,
  looseObject,
  opt,
  pageFields,
  pageQuery,
  type Schema,
  strictObject,
  typedInput,
} from "../schema.ts";
import { userAnswer, userFields } from "./users.ts";

/** A user and their membership; `joinedAt` in unix seconds. */
const groupMemberAnswer = () =>
  looseObject({
    /** `admin`, `moderator` or `participant`. */
    scope: maybeText,
    joinedAt: maybeNumber,
    ...userFields,
  });

/** Results by uid, per list of the input. */
const addedMembersAnswer = () =>
  looseObject({
    admins: maybe(itemResults),
    moderators: maybe(itemResults),
    participants: maybe(itemResults),
    usersToBan: maybe(itemResults),
  });

type MemberLists = z.input<ReturnType<typeof memberLists>>;

const scope = () => z.enum(["admin", "moderator", "participant"]);

/**
 * Members of groups. See docs/internals/platform/users-and-groups.md#members.
 * @example
 * await chat.groups.create({ guid: "club", name: "Club", type: "public" });
 * const added = await chat.members.add("club", { admins: ["alice"], participants: ["bob"] });
 * console.log(added.participants?.bob?.success); // each uid has a result of its own
 * await chat.members.changeScope("club", "bob", { scope: "moderator" });
 */
export const members = {
  /**
   * Adds members by scope, or bans users: 1–25 uids per call. Check each uid's `success`. Errors:
   * ERR_GUID_NOT_FOUND, ERR_PLAN_QUOTA_RESTRICTION. Adding again reports ERR_ALREADY_JOINED per uid.
   */
  add: {
    id: "add-group-members",
    request: "POST /groups/{guid}/members",
    onBehalfOf: "optional",
    input: (): Schema<MemberLists, AtLeastOne<MemberLists>> => typedInput(memberLists()),
    answer: addedMembersAnswer,
  },
  /** Lists members, by status and scopes. `perPage` default 100. Errors: ERR_GUID_NOT_FOUND. */
  list: {
    id: "list-group-members",
    request: "GET /groups/{guid}/members",
    input: () =>
      strictObject({
        ...pageFields(),
        status: opt(z.enum(["available", "offline"])),
        scopes: opt(z.array(scope())),
      }),
    csv: ["scopes"],
    paged: "page",
    answer: groupMemberAnswer,
  },
  /**
   * Changes a member's scope. Errors: ERR_NOT_A_MEMBER, ERR_SAME_SCOPE (after an unclear try: done),
   * ERR_GROUP_NO_SELF_ACTION.
   */
  changeScope: {
    id: "change-group-member-scope",
    request: "PUT /groups/{guid}/members/{uid}",
    onBehalfOf: "optional",
    input: () => strictObject({ scope }),
    answer: () => looseObject({ guid: maybeText, uid: maybeText, scope: maybeText, joinedAt: maybeNumber }),
  },
  /** Removes a member. Errors: ERR_NOT_A_MEMBER (after an unclear try: done), ERR_GROUP_NO_CLEARANCE. */
  remove: {
    id: "kick-group-member",
    request: "DELETE /groups/{guid}/members/{uid}",
    onBehalfOf: "optional",
    answer: acknowledgement,
  },
} as const satisfies Family;

/** @see docs/internals/platform/ids-and-limits.md#quantities */
const maxPerCall = 25;

/** Keeps a repeated uid's highest scope. 1–25 uids in all lists together. */
export const memberLists = () =>
  strictObject({
    admins: opt(ids),
    moderators: opt(ids),
    participants: opt(ids),
    usersToBan: opt(ids),
  }).check(
    z.refine((lists) => {
      const count = Object.values(lists).reduce((sum, list) => sum + (list?.length ?? 0), 0);
      return count >= 1 && count <= maxPerCall;
    }, `1 to ${maxPerCall} uids over all lists together`),
  );

/**
 * Users banned from a group. See docs/internals/platform/users-and-groups.md#banned-users.
 * @example
 * await chat.bannedUsers.ban("lobby", "bob");
 * const banned = await chat.bannedUsers.list("lobby").toArray({ limit: 1_000 }); // before it changes
 * for (const { uid } of banned) await chat.bannedUsers.unban("lobby", uid);
 */
export const bannedUsers = {
  /** Bans a user from a group. Errors: ERR_ALREADY_BANNED, ERR_GROUP_NO_CLEARANCE. Harmless if repeated. */
  ban: {
    id: "ban-group-user",
    request: "POST /groups/{guid}/bannedusers/{uid}",
    onBehalfOf: "optional",
    answer: acknowledgement,
  },
  /** Lifts a ban. Errors: ERR_NOT_A_BANNED_USER (after an unclear try: done). */
  unban: {
    id: "unban-group-user",
    request: "DELETE /groups/{guid}/bannedusers/{uid}",
    onBehalfOf: "optional",
    answer: acknowledgement,
  },
  /** Lists the banned users of a group. `perPage` default 100. Errors: ERR_GUID_NOT_FOUND. */
  list: {
    id: "list-banned-group-users",
    request: "GET /groups/{guid}/bannedusers",
    input: pageQuery,
    paged: "page",
    answer: userAnswer,
  },
} as const satisfies Family;
