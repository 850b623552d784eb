import { bannedFrom, ensure, messageNotFound, notJoined } from "../errors/platform-error.ts";
import type { AppServices } from "../services/services.ts";
import { findBot } from "../store/bots.ts";
import { findMember, isBanned } from "../store/groups.ts";
import { findMessage, type MessageDraft } from "../store/messages.ts";
import { isBlockedBy } from "../store/relations.ts";
import { systemUser, type User } from "../store/users.ts";
import { requireGroupByGuid, requireUserByUid } from "./lookup.ts";

/**
 * Checks, as of now, whether the sender may write the message. `ofOtherSystem`: the sender need not be a
 * member of the group (assumed: nothing that other systems send makes them one).
 * @throws PlatformError ERR_UID_NOT_FOUND, ERR_BLOCKED_RECEIVER, ERR_BLOCKED_SENDER, ERR_GUID_NOT_FOUND,
 * ERR_BANNED_GROUPMEMBER, ERR_GROUP_NOT_JOINED (assumed), ERR_MESSAGE_ID_NOT_FOUND if what it quotes or
 * replies to is gone
 */
export function requireSendable(
  services: AppServices,
  { sender, recipient, parentId, quotedMessage }: MessageDraft,
  options: { ofOtherSystem?: boolean } = {},
): void {
  const isSystem = sender.uid === systemUser.uid;
  if (!isSystem) requireUserByUid(services, sender.uid);
  for (const id of [parentId, quotedMessage?.id]) {
    if (id === undefined) continue;
    const message = findMessage(services, String(id));
    if (message === undefined || message.deletedAt !== undefined) throw messageNotFound();
  }
  if (recipient.type === "user") {
    requireUnblocked(services, sender, requireUserByUid(services, recipient.user.uid));
    return;
  }
  const { guid } = requireGroupByGuid(services, recipient.group.guid);
  if (isSystem || findMember(services, guid, sender.uid) !== undefined) return;
  if (isBanned(services, guid, sender.uid)) throw bannedFrom(sender.uid, guid);
  const needsNoMembership = options.ofOtherSystem === true || findBot(services, sender.uid) !== undefined;
  if (!needsNoMembership) throw notJoined(sender.uid, guid);
}

/** @see docs/internals/platform/users-and-groups.md#blocked-users */
function requireUnblocked(services: AppServices, sender: User, receiver: User) {
  ensure(
    !isBlockedBy(services, sender.uid, receiver.uid),
    "ERR_BLOCKED_RECEIVER",
    `The user ${sender.uid} has blocked ${receiver.uid}.`,
  );
  ensure(
    services.switches.messagesToBlocker === "hidden" || !isBlockedBy(services, receiver.uid, sender.uid),
    "ERR_BLOCKED_SENDER",
    `The user ${sender.uid} is blocked by ${receiver.uid}.`,
  );
}
