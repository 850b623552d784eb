import { banUser, exitGroup } from "../chat/membership.ts";
import { deactivate } from "../chat/users.ts";
import { type AppServices, nowSeconds, type Occurrences } from "../services/services.ts";
import { getDocument, putDocument } from "../store/documents.ts";
import { findGroup, findMember, type Group, isBanned } from "../store/groups.ts";
import { messageKinds } from "../store/message-copies.ts";
import type { Message } from "../store/messages.ts";
import { putRow } from "../store/rows.ts";
import { findActiveUser, systemUser, type User } from "../store/users.ts";

/**
 * What the rules that matched do besides blocking, each once, to the user who sent or edited the message. On
 * whom they act, that a group keeps its owner, that the system user flags, and that nothing comes late, is
 * assumed.
 * @see docs/internals/platform/moderation.md#rules
 */
export function carryOutRules(
  services: AppServices,
  { message, verdict }: Occurrences["messageStored"],
): void {
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
    if (receiverType !== "user") return;
    const row = { uid: receiver, blocked: writer.uid, blockedAt: nowSeconds(services) };
    putRow(services, "blocks", row, "IGNORE");
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

function flag(services: AppServices, { id }: Message, rule: { id: string; name: string }) {
  if (getDocument(services, messageKinds.flagged, id) !== undefined) return;
  const { uid, name, role } = systemUser;
  const entry = {
    uid,
    name,
    role,
    reasonId: rule.id,
    reasonName: rule.name,
    flaggedAt: nowSeconds(services),
  };
  putDocument(services, messageKinds.flagged, id, { messageId: id, flaggedBy: [entry] });
}
