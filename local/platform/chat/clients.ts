import { requireFeature, requirePermission } from "../access/enforce.ts";
import { ensure, messageNotFound } from "../errors/platform-error.ts";
import { type AppServices, nowSeconds } from "../services/services.ts";
import { findGroupPassword, type Group, isBanned } from "../store/groups.ts";
import { canRead } from "../store/message-access.ts";
import { findMessage, type Message } from "../store/messages.ts";
import { hasEveryMember, moveMark, type ReceiptAction } from "../store/receipts.ts";
import { emitReceipt, emitReceiptToAll } from "../webhooks/message-events.ts";
import { requireConversation } from "./conversation-view.ts";
import { requireGroupByGuid, requireMember, requireUserByUid } from "./lookup.ts";
import { enterGroup, exitGroup } from "./membership.ts";

/**
 * Clients join; there is no REST route for it.
 * @throws PlatformError ERR_UID_NOT_FOUND, ERR_GUID_NOT_FOUND, ERR_BANNED_GROUPMEMBER,
 * ERR_GROUP_JOIN_NOT_ALLOWED, ERR_EMPTY_GROUP_PASS, ERR_WRONG_GROUP_PASS, ERR_ALREADY_JOINED, ERR_NO_VACANCY,
 * ERR_PERMISSION_DENIED
 * @see docs/internals/platform/events.md#group-events
 */
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

/**
 * The owner may leave too (assumed) and stays its owner.
 * @throws PlatformError ERR_UID_NOT_FOUND, ERR_GUID_NOT_FOUND, ERR_NOT_A_MEMBER, ERR_PERMISSION_DENIED
 */
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

/**
 * Marks all messages up to one; REST requests mark too but fire nothing.
 * @throws PlatformError ERR_UID_NOT_FOUND, ERR_MESSAGE_ID_NOT_FOUND, ERR_MESSAGE_NO_ACCESS,
 * ERR_CONVERSATION_NOT_ACCESSIBLE
 * @see docs/internals/platform/events.md#receipts
 */
export function markDelivered(services: AppServices, mark: Mark): boolean {
  return confirm(services, mark, "delivered");
}

/** Marks as delivered, too; else like `markDelivered`. */
export function markRead(services: AppServices, mark: Mark): boolean {
  return confirm(services, mark, "read");
}

function confirm(services: AppServices, mark: Mark, action: ReceiptAction) {
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
  // Only the named message counts; whether earlier ones fire too is not documented.
  if (isForAll && hasEveryMember(services, message, action)) {
    emitReceiptToAll(services, { action, message, at });
  }
  return true;
}
