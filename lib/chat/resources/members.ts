import * as z from "zod/mini";
import { acknowledgement, itemResults, maybe, maybeNumber, maybeText } from "../answers.ts";
import { opt, pageFields } from "../fields.ts";
import type { AtLeastOne } from "../needs.ts";
import type { Family } from "../operation.ts";
import { type Schema, typedInput } from "../schema.ts";
import { memberLists } from "./member-lists.ts";
import { userFields } from "./user-answer.ts";

/** A user and their membership; `joinedAt` in unix seconds. */
const groupMemberAnswer = () =>
  z.looseObject({
    /** `admin`, `moderator` or `participant`. */
    scope: maybeText(),
    joinedAt: maybeNumber(),
    ...userFields(),
  });

/** Results by uid, per list of the input. */
const addedMembersAnswer = () =>
  z.looseObject({
    admins: maybe(itemResults()),
    moderators: maybe(itemResults()),
    participants: maybe(itemResults()),
    usersToBan: maybe(itemResults()),
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
      z.strictObject({
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
    input: () => z.strictObject({ scope: scope() }),
    answer: () =>
      z.looseObject({ guid: maybeText(), uid: maybeText(), scope: maybeText(), joinedAt: maybeNumber() }),
  },
  /** Removes a member. Errors: ERR_NOT_A_MEMBER (after an unclear try: done), ERR_GROUP_NO_CLEARANCE. */
  remove: {
    id: "kick-group-member",
    request: "DELETE /groups/{guid}/members/{uid}",
    onBehalfOf: "optional",
    answer: acknowledgement,
  },
} as const satisfies Family;
