import * as z from "zod/mini";
import type { CallOperation } from "../chat/operation.ts";
import { bannedUsers, memberLists, members } from "../chat/resources/members.ts";
import type { GroupMember } from "../chat/types/members.ts";
import type { Effect } from "./effect.ts";
import {
  checkEffect,
  type ItemOutcomes,
  orReadBack,
  type RequestLimits,
  readOutcomes,
  repeatableEffect,
  type Settled,
  settlingEffect,
  textOrNone,
  textsOrNone,
} from "./effect-builders.ts";

export interface Membership {
  readonly guid: string;
  readonly uid: string;
  /** uid of an admin or moderator of the group. Default: the app. */
  readonly onBehalfOf?: string;
}

export const membershipShape = () => ({
  guid: z.string(),
  uid: z.string(),
  onBehalfOf: textOrNone(),
});

export async function readMembers(
  call: CallOperation,
  guid: string,
  limits: RequestLimits,
): Promise<Map<string, GroupMember>> {
  const all = await call(members.list, guid, { perPage: 1_000 }, limits).toArray({ limit: Infinity });
  return new Map(all.map((member) => [member.uid, member]));
}

/** New members by scope: 1 to 25 uids over all lists. */
export interface NewMembers {
  readonly guid: string;
  readonly admins?: readonly string[];
  readonly moderators?: readonly string[];
  readonly participants?: readonly string[];
  /** uid of an admin of the group. Default: the app. */
  readonly onBehalfOf?: string;
}

/**
 * Adds members to a group and returns each one's outcome: a refused one (`ERR_UID_NOT_FOUND`,
 * `ERR_BANNED_GROUPMEMBER`, …) fails neither the others nor the effect. Existing members keep their scope.
 * Repeatable: members count as added after an unclear attempt. Errors: ERR_GUID_NOT_FOUND,
 * ERR_PLAN_QUOTA_RESTRICTION.
 * @see docs/internals/platform/users-and-groups.md#members
 */
export function addMembers(added: NewMembers): Effect<ItemOutcomes> {
  checkEffect("addMembers", added, {
    guid: z.string(),
    admins: textsOrNone(),
    moderators: textsOrNone(),
    participants: textsOrNone(),
    onBehalfOf: textOrNone(),
  });
  const { guid, onBehalfOf, ...lists } = added;
  const { admins = [], moderators = [], participants = [] } = lists;
  const uids = [...admins, ...moderators, ...participants];
  const all = { done: uids, wasSo: [], refused: [] };
  return repeatableEffect<ItemOutcomes>(members.add.id, all, async (call, limits, isAgain) => {
    const input = {
      ...(admins.length > 0 && { admins: [...admins] }),
      ...(moderators.length > 0 && { moderators: [...moderators] }),
      ...(participants.length > 0 && { participants: [...participants] }),
    };
    const add = async () => {
      // The type needs one list; without uids the client refuses at run time.
      const adding = { ...members.add, input: memberLists } as const;
      const results = await call(adding, guid, input, { onBehalfOf, ...limits });
      const perList = [results.admins, results.moderators, results.participants];
      return readOutcomes(members.add, uids, perList, isAgain, ["ERR_ALREADY_JOINED"]);
    };
    const areThere = async () => {
      const there = await readMembers(call, guid, limits);
      return uids.every((uid) => there.has(uid.toLowerCase()));
    };
    return orReadBack<ItemOutcomes>(add, areThere, all, isAgain);
  });
}

/**
 * Removes a member from a group; the user may join again. Repeatable: a non-member counts as removed; a user
 * who rejoins between an unclear attempt and the next is removed again. Errors: ERR_GUID_NOT_FOUND,
 * ERR_GROUP_NO_CLEARANCE.
 * @see docs/internals/platform/users-and-groups.md#members
 */
export function kickMember(membership: Membership): Effect<Settled> {
  checkEffect("kickMember", membership, membershipShape());
  const { guid, uid, onBehalfOf } = membership;
  return settlingEffect(
    members.remove.id,
    (call, limits) => call(members.remove, guid, uid, { onBehalfOf, ...limits }),
    {
      meanSo: ["ERR_NOT_A_MEMBER"],
      isSo: async (call, limits) => !(await readMembers(call, guid, limits)).has(uid.toLowerCase()),
    },
  );
}

/**
 * Bans a user, member or not, from a group. Repeatable: an existing ban counts as done. Errors:
 * ERR_GUID_NOT_FOUND, ERR_UID_NOT_FOUND, ERR_GROUP_NO_CLEARANCE.
 * @see docs/internals/platform/users-and-groups.md#banned-users
 */
export function banMember(membership: Membership): Effect<Settled> {
  return banningEffect("banMember", true, membership);
}

/**
 * Lifts a ban; the user does not become a member. Repeatable: a missing ban counts as lifted. Errors: as for
 * banning.
 * @see docs/internals/platform/users-and-groups.md#banned-users
 */
export function unbanMember(membership: Membership): Effect<Settled> {
  return banningEffect("unbanMember", false, membership);
}

function banningEffect(name: string, isBan: boolean, membership: Membership): Effect<Settled> {
  checkEffect(name, membership, membershipShape());
  const { guid, uid, onBehalfOf } = membership;
  const operation = isBan ? bannedUsers.ban : bannedUsers.unban;
  return settlingEffect(
    operation.id,
    (call, limits) => call(operation, guid, uid, { onBehalfOf, ...limits }),
    {
      meanSo: [isBan ? "ERR_ALREADY_BANNED" : "ERR_NOT_A_BANNED_USER"],
      isSo: async (call, limits) => (await isBanned(call, membership, limits)) === isBan,
    },
  );
}

async function isBanned(call: CallOperation, { guid, uid }: Membership, limits: RequestLimits) {
  const banned = call(bannedUsers.list, guid, { perPage: 1_000 }, limits);
  for await (const user of banned) if (user.uid === uid.toLowerCase()) return true;
  return false;
}

export interface ScopeChange extends Membership {
  readonly scope: "admin" | "moderator" | "participant";
}

/**
 * Changes the scope of a member of a group. Repeatable: an equal scope counts as changed; another user's
 * change between an unclear attempt and the next is reverted. Errors: ERR_NOT_A_MEMBER,
 * ERR_GROUP_NO_SCOPE_CLEARANCE, ERR_GROUP_NO_SELF_ACTION.
 * @see docs/internals/platform/users-and-groups.md#members
 */
export function changeScope(change: ScopeChange): Effect<Settled> {
  checkEffect("changeScope", change, {
    ...membershipShape(),
    scope: z.enum(["admin", "moderator", "participant"]),
  });
  const { guid, uid, scope, onBehalfOf } = change;
  return settlingEffect(
    members.changeScope.id,
    (call, limits) => call(members.changeScope, guid, uid, { scope }, { onBehalfOf, ...limits }),
    {
      meanSo: ["ERR_SAME_SCOPE"],
      isSo: async (call, limits) =>
        (await readMembers(call, guid, limits)).get(uid.toLowerCase())?.scope === scope,
    },
  );
}
