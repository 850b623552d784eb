import { messageNotFound, PlatformError } from "../errors/platform-error.ts";
import { type AppServices, nowSeconds } from "../services/services.ts";
import { findMessage } from "../store/messages.ts";
import { hasEveryMember, moveMark, type ReceiptAction } from "../store/receipts.ts";
import { emitReceipt, emitReceiptToAll } from "../webhooks/receipt-events.ts";
import { requireConversation } from "./conversation-lookup.ts";
import { canSee } from "./message-access.ts";
import { requireUserByUid } from "./user-lookup.ts";

/** Says which user a client belongs to and which message it confirms. */
export type Mark = { uid: string; messageId: string };

/**
 * Marks messages up to one as delivered, as a client does; REST requests mark too but fire nothing. Gives false, without an
 * event, when they were marked already or the user is the author.
 * @throws PlatformError ERR_UID_NOT_FOUND, ERR_MESSAGE_ID_NOT_FOUND, ERR_MESSAGE_NO_ACCESS, ERR_CONVERSATION_NOT_ACCESSIBLE
 * @see docs/platform/events.md#receipts
 */
export function markDelivered(services: AppServices, mark: Mark): boolean {
  return confirm(services, mark, "delivered");
}

/** Marks messages up to one as read (and delivered), as a client does; else like `markDelivered`. */
export function markRead(services: AppServices, mark: Mark): boolean {
  return confirm(services, mark, "read");
}

function confirm(services: AppServices, mark: Mark, action: ReceiptAction): boolean {
  const user = requireUserByUid(services, mark.uid);
  const message = findMessage(services, mark.messageId);
  if (message === undefined || message.deletedAt !== undefined) throw messageNotFound();
  if (!canSee(services, user.uid, message)) {
    throw new PlatformError("ERR_MESSAGE_NO_ACCESS", `The user ${user.uid} cannot see ${message.id}.`);
  }
  if (message.sender === user.uid) return false;
  const at = nowSeconds(services);
  const upTo = Number(message.id);
  const isNew = services.db.transaction(() => {
    const conversation = requireConversation(services, user.uid, message.conversationId);
    return moveMark(services, conversation, { action, upTo, at });
  });
  if (!isNew) return false;
  emitReceipt(services, { action, message, user, at });
  const isForAll = services.switches.receiptsToAll && message.receiverType === "group";
  // Only the named message is looked at; whether earlier ones fire too is not documented.
  if (isForAll && hasEveryMember(services, message, action)) {
    emitReceiptToAll(services, { action, message, at });
  }
  return true;
}
