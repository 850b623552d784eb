import { bannedFrom, ensure, messageNotFound, notJoined } from "../errors/platform-error.ts";
import type { AppServices } from "../services/services.ts";
import { findBot } from "../store/bots.ts";
import type { AppData } from "../store/database.ts";
import { findMember, isBanned } from "../store/groups.ts";
import { isHidden } from "../store/message-access.ts";
import { findMessage, type Message, type MessageDraft } from "../store/messages.ts";
import { isBlockedBy } from "../store/relations.ts";
import { systemUser } from "../store/users.ts";
import { type Acting, requireGroupByGuid, requireUserByUid } from "./lookup.ts";

/**
 * Checks, as of now, whether a message may be kept: who and what it names may have gone since it was written.
 * @throws PlatformError ERR_UID_NOT_FOUND, ERR_GUID_NOT_FOUND, ERR_MESSAGE_ID_NOT_FOUND for what it quotes or
 * replies to, and what `requireAllowed` throws
 */
export function requireSendable(services: AppServices, draft: MessageDraft, options: Options = {}): void {
  const { sender, recipient, parentId, quotedMessage } = draft;
  if (sender.uid !== systemUser.uid) requireUserByUid(services, sender.uid);
  if (recipient.type === "user") requireUserByUid(services, recipient.user.uid);
  else requireGroupByGuid(services, recipient.group.guid);
  for (const id of [parentId, quotedMessage?.id]) {
    if (id === undefined) continue;
    const message = findMessage(services, String(id));
    if (message === undefined || message.deletedAt !== undefined) throw messageNotFound();
  }
  requireAllowed(services, draft, options);
}

/** `ofOtherSystem`: the sender need not be a member of the group (assumed: nothing there makes them one). */
type Options = { ofOtherSystem?: boolean };

/**
 * @throws PlatformError ERR_BLOCKED_RECEIVER, ERR_BLOCKED_SENDER, ERR_BANNED_GROUPMEMBER,
 * ERR_GROUP_NOT_JOINED (assumed)
 */
export function requireAllowed(
  services: AppServices,
  { sender, recipient }: MessageDraft,
  options: Options = {},
): void {
  if (recipient.type === "user") {
    const isHidden = services.switches.messagesToBlocker === "hidden";
    requireUnblocked(services, sender.uid, recipient.user.uid, isHidden);
    return;
  }
  const { guid } = recipient.group;
  if (sender.uid === systemUser.uid || findMember(services, guid, sender.uid) !== undefined) return;
  if (isBanned(services, guid, sender.uid)) throw bannedFrom(sender.uid, guid);
  const needsNoMembership = options.ofOtherSystem === true || findBot(services, sender.uid) !== undefined;
  if (!needsNoMembership) throw notJoined(sender.uid, guid);
}

/**
 * Refuses to edit, pin or react to a message that the other user sees or may come to see, if one blocks the
 * other (assumed). What takes something back stays possible.
 */
export function requireReachable(acting: Acting, message: Message): void {
  const { actor } = acting;
  const { sender, receiver, receiverType } = message;
  if (actor === undefined || receiverType === "group" || isHidden(acting, message)) return;
  requireUnblocked(acting, actor.uid, actor.uid === sender ? receiver : sender, false);
}

/** @see docs/internals/platform/users-and-groups.md#blocked-users */
function requireUnblocked(data: AppData, uid: string, other: string, isHidden: boolean) {
  const [blocks, isBlocked] = [isBlockedBy(data, uid, other), isBlockedBy(data, other, uid)];
  ensure(!blocks, "ERR_BLOCKED_RECEIVER", `The user ${uid} has blocked ${other}.`);
  ensure(isHidden || !isBlocked, "ERR_BLOCKED_SENDER", `The user ${uid} is blocked by ${other}.`);
}
