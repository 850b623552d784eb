import { banUser, exitGroup } from "../chat/membership.ts";
import { deactivate } from "../chat/users.ts";
import { type AppServices, nowSeconds, type Occurrences } from "../services/services.ts";
import { getDocument, putDocument } from "../store/documents.ts";
import { findGroup, findMember, isBanned } from "../store/groups.ts";
import type { Message } from "../store/messages.ts";
import { putRow } from "../store/rows.ts";
import { findActiveUser, systemUser, type User } from "../store/users.ts";
import { messageKinds } from "./moderation-store.ts";

/**
 * What the rules that matched do besides blocking, each once. On whom `block` acts, that the system user
 * flags, and that nothing comes late, is assumed.
 * @see docs/internals/platform/moderation.md#rules
 */
export function carryOutRules(
  services: AppServices,
  { message, verdict }: Occurrences["messageStored"],
): void {
  const sender = findActiveUser(services, message.sender);
  for (const { id, name, action } of verdict?.rules ?? []) {
    if (action.includes("flagMessage")) flag(services, message, { id, name });
    if (sender === undefined) continue;
    for (const one of action) effects[one]?.(services, message, sender);
  }
}

const effects: Record<string, (services: AppServices, message: Message, sender: User) => void> = {
  kick(services, { receiver }, sender) {
    if (findMember(services, receiver, sender.uid) === undefined) return;
    exitGroup({ ...services, actor: undefined }, receiver, sender, "kicked");
  },
  ban(services, { receiver, receiverType }, sender) {
    if (receiverType !== "group" || findGroup(services, receiver) === undefined) return;
    if (isBanned(services, receiver, sender.uid)) return;
    banUser({ ...services, actor: undefined }, receiver, sender);
  },
  block(services, { receiver, receiverType }, sender) {
    if (receiverType !== "user") return;
    const row = { uid: receiver, blocked: sender.uid, blockedAt: nowSeconds(services) };
    putRow(services, "blocks", row, "IGNORE");
  },
  deactivate: (services, _message, sender) => void deactivate(services, sender.uid),
};

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
