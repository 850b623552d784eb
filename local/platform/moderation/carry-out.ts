import { blockUser } from "../chat/friends.ts";
import { banUser, exitGroup } from "../chat/membership.ts";
import { deactivate } from "../chat/users.ts";
import { pick } from "../json.ts";
import { type AppServices, nowSeconds, type Occurrences } from "../services/services.ts";
import { deleteDocument, getDocument, putDocument } from "../store/database.ts";
import { findGroup, findMember, type Group, isBanned } from "../store/groups.ts";
import { messageKinds } from "../store/message-access.ts";
import type { Message } from "../store/messages.ts";
import { findActiveUser, systemUser, type User } from "../store/users.ts";

/**
 * Runs each action once, for the user who sent or edited the message. Assumed: on whom they act, that a group
 * keeps its owner, that the system user flags.
 * @see docs/internals/platform/moderation.md#rules
 */
export function carryOutRules(
  services: AppServices,
  { message, verdict }: Occurrences["messageStored"],
): void {
  listBlocked(services, { message, verdict });
  const writer = findActiveUser(services, message.editedBy ?? message.sender);
  for (const { id, name, action } of verdict?.rules ?? []) {
    if (action.includes("flagMessage")) flag(services, message, { id, name });
    if (writer === undefined) continue;
    for (const one of action) effects[one]?.(services, message, writer);
  }
}

const effects: Record<string, (services: AppServices, message: Message, writer: User) => void> = {
  kick(services, message, writer) {
    const group = groupWithout(services, message, writer);
    if (group === undefined || findMember(services, group.guid, writer.uid) === undefined) return;
    exitGroup({ ...services, actor: undefined }, group.guid, writer, "kicked");
  },
  ban(services, message, writer) {
    const group = groupWithout(services, message, writer);
    if (group === undefined || isBanned(services, group.guid, writer.uid)) return;
    banUser({ ...services, actor: undefined }, group.guid, writer);
  },
  block(services, { receiver, receiverType }, writer) {
    const user = receiverType === "user" ? findActiveUser(services, receiver) : undefined;
    if (user !== undefined) blockUser(services, user, writer);
  },
  deactivate: (services, _message, writer) => void deactivate(services, writer.uid),
};

function groupWithout(
  services: AppServices,
  { receiver, receiverType }: Message,
  writer: User,
): Group | undefined {
  const group = receiverType === "group" ? findGroup(services, receiver) : undefined;
  return group?.owner === writer.uid ? undefined : group;
}

/** Removes a passing edit from the list (assumed). */
function listBlocked(services: AppServices, { message, verdict }: Occurrences["messageEdited"]) {
  const { blocked, isDropped } = verdict ?? {};
  if (blocked !== undefined && isDropped !== true) {
    const at = nowSeconds(services);
    const record = { ...blocked, message, createdAt: at, updatedAt: at };
    putDocument(services, messageKinds.blocked, message.id, record);
  } else if (verdict !== undefined && message.editedAt !== undefined) {
    deleteDocument(services, messageKinds.blocked, message.id);
  }
}

function flag(services: AppServices, { id }: Message, rule: { id: string; name: string }) {
  if (getDocument(services, messageKinds.flagged, id) !== undefined) return;
  const entry = {
    ...pick(systemUser, "uid", "name", "role"),
    reasonId: rule.id,
    reasonName: rule.name,
    flaggedAt: nowSeconds(services),
  };
  putDocument(services, messageKinds.flagged, id, { messageId: id, flaggedBy: [entry] });
}
