import { requireFeature, requirePermission } from "../access/enforce.ts";
import { ensure, messageNotFound, requireRoom } from "../errors/platform-error.ts";
import { defined, type JsonObject } from "../json.ts";
import { type AppServices, nowSeconds } from "../services/services.ts";
import { countRows } from "../store/database.ts";
import {
  countMembers,
  deleteBan,
  deleteMember,
  findGroup,
  findGroupPassword,
  findMember,
  type Group,
  isBanned,
  type Member,
  type MemberScope,
  putBan,
  putGroup,
  putMember,
} from "../store/groups.ts";
import { canRead } from "../store/message-access.ts";
import { findMessage, type Message } from "../store/messages.ts";
import { hasEveryMember, moveMark, type ReceiptAction } from "../store/receipts.ts";
import { systemUser, type User } from "../store/users.ts";
import { emitGroupEvent, emitReceipt, emitReceiptToAll } from "../webhooks/message-events.ts";
import { userEntity } from "../wire/show.ts";
import { requireConversation } from "./conversation-view.ts";
import { type Acting, requireGroupByGuid, requireMember, requireUserByUid } from "./lookup.ts";
import { storeActionMessage } from "./message-store.ts";

// Callers hold a transaction.

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
  const members = findGroup(acting, guid)?.membersCount ?? 0;
  if (how === "added") requireRoom(members, "members of a group", maxMembers);
  ensure(members < maxMembers, "ERR_NO_VACANCY", `The group ${guid} is full.`);
  requireRoom(countRows(acting, "members", { uid }), "groups of a user", maxGroupsPerUser);
  putMember(acting, { guid, uid, scope, joinedAt: nowSeconds(acting) });
  // An addition leaves `updatedAt` (docs/internals/platform/events.md#group-events).
  return record(acting, recountMembers(acting, guid, { isTouched: how === "joined" }), user, how);
}

export function exitGroup(acting: Acting, guid: string, user: User, how: "kicked" | "left"): void {
  record(acting, removeMember(acting, guid, user.uid), user, how);
}

export function banUser(acting: Acting, guid: string, user: User): void {
  putBan(acting, { guid, uid: user.uid, bannedAt: nowSeconds(acting) });
  record(acting, removeMember(acting, guid, user.uid), user, "banned");
}

export function unbanUser(acting: Acting, guid: string, user: User): void {
  ensure(
    deleteBan(acting, guid, user.uid),
    "ERR_NOT_A_BANNED_USER",
    `The user ${user.uid} is not banned from ${guid}.`,
  );
  record(acting, recountMembers(acting, guid, { isTouched: true }), user, "unbanned");
}

export function changeMemberScope(acting: Acting, guid: string, user: User, scope: MemberScope): Member {
  const member = requireMember(acting, guid, user.uid);
  ensure(member.scope !== scope, "ERR_SAME_SCOPE", `The user ${user.uid} has the scope ${scope} already.`);
  const changed = { ...member, scope };
  putMember(acting, changed);
  const group = recountMembers(acting, guid, { isTouched: true });
  record(acting, group, user, "scopeChanged", { scope, oldScope: member.scope });
  return changed;
}

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
  // Live, the acting user is named (docs/internals/platform/events.md#bans-on-behalf-of-a-user).
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

// @see docs/internals/platform/ids-and-limits.md#quantities
const maxMembers = 100_000;
const maxGroupsPerUser = 2_000;

export function joinGroup(
  services: AppServices,
  join: { uid: string; guid: string; password?: string | undefined },
): Message {
  const user = requireUserByUid(services, join.uid);
  const group = requireGroupByGuid(services, join.guid);
  const acting = { ...services, actor: user };
  requireFeature(acting, "joinGroup");
  requirePermission(acting, "joinGroup");
  requirePermission(acting, "joinGroup.allowedGroupTypes", group.type);
  if (!isBanned(services, group.guid, user.uid)) requireJoinable(services, group, join.password);
  return enterGroup(acting, group.guid, { user, scope: "participant", how: "joined" });
}

/** Lets the owner leave and stay owner (assumed). */
export function leaveGroup(services: AppServices, leave: { uid: string; guid: string }): void {
  const user = requireUserByUid(services, leave.uid);
  const group = requireGroupByGuid(services, leave.guid);
  const acting = { ...services, actor: user };
  requireFeature(acting, "leaveGroup");
  requireMember(acting, group.guid, user.uid);
  exitGroup(acting, group.guid, user, "left");
}

function requireJoinable(services: AppServices, group: Group, password: string | undefined) {
  ensure(
    group.type !== "private",
    "ERR_GROUP_JOIN_NOT_ALLOWED",
    `The private group ${group.guid} cannot be joined.`,
  );
  if (group.type !== "password") return;
  ensure(
    password !== undefined && password !== "",
    "ERR_EMPTY_GROUP_PASS",
    `Joining the group ${group.guid} needs its password.`,
  );
  ensure(
    password === findGroupPassword(services, group.guid),
    "ERR_WRONG_GROUP_PASS",
    `The password of the group ${group.guid} is another.`,
  );
}

type Mark = { uid: string; messageId: string };

/** Marks messages up to one; reading includes delivery. @see docs/internals/platform/events.md#receipts */
export function markMessage(services: AppServices, mark: Mark, action: ReceiptAction): boolean {
  const user = requireUserByUid(services, mark.uid);
  const message = findMessage(services, mark.messageId);
  if (message === undefined || message.deletedAt !== undefined) throw messageNotFound();
  ensure(
    canRead(services, user.uid, message),
    "ERR_MESSAGE_NO_ACCESS",
    `The user ${user.uid} cannot see ${message.id}.`,
  );
  if (message.sender === user.uid) return false;
  const at = nowSeconds(services);
  const upTo = Number(message.id);
  const conversation = requireConversation(services, user.uid, message.conversationId);
  if (!moveMark(services, conversation, { action, upTo, at })) return false;
  emitReceipt(services, { action, message, user, at });
  const isForAll = services.switches.receiptsToAll && message.receiverType === "group";
  // Reports only the named message (assumed).
  if (isForAll && hasEveryMember(services, message, action)) {
    emitReceiptToAll(services, { action, message, at });
  }
  return true;
}
