import { ensure, limitReached, PlatformError } from "../errors/platform-error.ts";
import { defined, type JsonObject } from "../json.ts";
import { nowSeconds } from "../services/services.ts";
import {
  countMembers,
  deleteBan,
  deleteMember,
  findGroup,
  findMember,
  type Group,
  type Member,
  type MemberScope,
  putBan,
  putGroup,
  putMember,
} from "../store/groups.ts";
import type { Message } from "../store/messages.ts";
import { countRows } from "../store/rows.ts";
import { systemUser, type User } from "../store/users.ts";
import { emitGroupEvent } from "../webhooks/message-events.ts";
import { userEntity } from "../wire/show.ts";
import { type Acting, requireGroupByGuid, requireMember } from "./lookup.ts";
import { storeActionMessage } from "./message-store.ts";

// Call these in a transaction.

/**
 * @throws PlatformError ERR_BANNED_GROUPMEMBER, ERR_ALREADY_JOINED, ERR_NO_VACANCY,
 * ERR_PLAN_QUOTA_RESTRICTION
 */
export function enterGroup(
  acting: Acting,
  guid: string,
  entry: { user: User; scope: MemberScope; how: "added" | "joined" },
): Message {
  const { user, scope, how } = entry;
  const { uid } = user;
  ensure(
    findMember(acting, guid, uid) === undefined,
    "ERR_ALREADY_JOINED",
    `The user ${uid} has already joined the group ${guid}.`,
  );
  if ((findGroup(acting, guid)?.membersCount ?? 0) >= maxMembers) {
    if (how === "added") throw limitReached("members of a group", maxMembers);
    throw new PlatformError("ERR_NO_VACANCY", `The group ${guid} is full.`);
  }
  if (countRows(acting, "members", { uid }) >= maxGroupsPerUser) {
    throw limitReached("groups of a user", maxGroupsPerUser);
  }
  putMember(acting, { guid, uid, scope, joinedAt: nowSeconds(acting) });
  // An addition leaves `updatedAt` as it is, a join does not
  // (docs/internals/platform/events.md#group-events).
  return record(acting, recountMembers(acting, guid, { isTouched: how === "joined" }), user, how);
}

/** @throws PlatformError ERR_NOT_A_MEMBER */
export function exitGroup(acting: Acting, guid: string, user: User, how: "kicked" | "left"): void {
  requireMember(acting, guid, user.uid);
  record(acting, removeMember(acting, guid, user.uid), user, how);
}

/** @throws PlatformError ERR_ALREADY_BANNED */
export function banUser(acting: Acting, guid: string, user: User): void {
  putBan(acting, { guid, uid: user.uid, bannedAt: nowSeconds(acting) });
  record(acting, removeMember(acting, guid, user.uid), user, "banned");
}

/** The user does not become a member again. @throws PlatformError ERR_NOT_A_BANNED_USER */
export function unbanUser(acting: Acting, guid: string, user: User): void {
  ensure(
    deleteBan(acting, guid, user.uid),
    "ERR_NOT_A_BANNED_USER",
    `The user ${user.uid} is not banned from ${guid}.`,
  );
  record(acting, recountMembers(acting, guid, { isTouched: true }), user, "unbanned");
}

/** @throws PlatformError ERR_NOT_A_MEMBER, ERR_SAME_SCOPE */
export function changeMemberScope(acting: Acting, guid: string, user: User, scope: MemberScope): Member {
  const member = requireMember(acting, guid, user.uid);
  ensure(member.scope !== scope, "ERR_SAME_SCOPE", `The user ${user.uid} has the scope ${scope} already.`);
  const changed = { ...member, scope };
  putMember(acting, changed);
  const group = recountMembers(acting, guid, { isTouched: true });
  record(acting, group, user, "scopeChanged", { scope, oldScope: member.scope });
  return changed;
}

/** Updates `membersCount`, and `updatedAt` if touched. */
export function recountMembers(acting: Acting, guid: string, options: { isTouched?: boolean } = {}): Group {
  const group = requireGroupByGuid(acting, guid);
  const counted = {
    ...group,
    membersCount: countMembers(acting, guid),
    ...(options.isTouched === true &&
      acting.switches.changesMoveUpdatedAt && { updatedAt: nowSeconds(acting) }),
  };
  putGroup(acting, counted);
  return counted;
}

function removeMember(acting: Acting, guid: string, uid: string) {
  deleteMember(acting, guid, uid);
  return recountMembers(acting, guid, { isTouched: true });
}

// A user who joins or leaves acts alone.
function record(
  acting: Acting,
  group: Group,
  user: User,
  action: keyof typeof triggers,
  memberFields?: JsonObject,
) {
  const isAlone = action === "joined" || action === "left";
  const by = isAlone ? user : (acting.actor ?? systemUser);
  const message = storeActionMessage(acting, {
    by,
    recipient: { type: "group", group },
    conversationId: group.conversationId,
    type: "groupMember",
    action,
    on: userEntity(user),
  });
  acting.announce(acting.app, "membershipChanged", { action: message });
  // With onBehalfOf the live platform puts the acting user where the banned one belongs
  // (docs/internals/platform/events.md#bans-on-behalf-of-a-user).
  const isBan = action === "banned" || action === "unbanned";
  const showsActor = isBan && acting.switches.bannedMembersForm === "live";
  const members = [showsActor ? (acting.actor ?? user) : user];
  const trigger = triggers[action];
  emitGroupEvent(acting, { trigger, group, members, ...(!isAlone && { by }), ...defined({ memberFields }) });
  return message;
}

const triggers = {
  joined: "group_member_joined",
  left: "group_member_left",
  added: "group_member_added",
  kicked: "group_member_kicked",
  banned: "group_member_banned",
  unbanned: "group_member_unbanned",
  scopeChanged: "group_member_scope_changed",
};

// See docs/internals/platform/ids-and-limits.md#quantities.
const maxMembers = 100_000;
const maxGroupsPerUser = 2_000;
