import type { JsonObject } from "../json.ts";
import type { AppServices } from "../services/services.ts";
import type { Message } from "../store/messages.ts";
import { findBlock } from "../store/relations.ts";
import { systemUser, type User } from "../store/users.ts";
import { showUser } from "../wire/show.ts";

/** Says what happened to a message. `at` is in unix seconds. */
export type Receipt = { action: "delivered" | "read"; message: Message; at: number };

/**
 * Emits that a user received or read a message. In one-to-one chats `receiver` is the author.
 * @see docs/platform/events.md#users-in-events, docs/platform/events.md#receipts
 */
export function emitReceipt(services: AppServices, receipt: Receipt & { user: User }): void {
  const { action, message, user } = receipt;
  const isBlocked = (uid: string, blocked: string) => findBlock(services, uid, blocked) !== undefined;
  const trigger = action === "read" ? "message_read_receipt" : "message_delivery_receipt";
  services.emit(trigger, {
    ...common(receipt, user.uid),
    receiver: message.receiverType === "group" ? message.receiver : message.sender,
    body: {
      action,
      messageId: message.id,
      user: {
        ...showUser(user, { withTags: false }),
        hasBlockedMe: isBlocked(user.uid, message.sender),
        blockedByMe: isBlocked(message.sender, user.uid),
        deactivatedAt: user.deactivatedAt ?? 0,
      },
      timestamp: receipt.at,
    },
  });
}

/** Emits that the last member of a group received or read a message. @see docs/platform/events.md#receipts-of-all */
export function emitReceiptToAll(services: AppServices, receipt: Receipt): void {
  const { uid, name, role, status } = systemUser;
  const isRead = receipt.action === "read";
  services.emit(isRead ? "message_read_by_all" : "message_delivered_to_all", {
    ...common(receipt, uid),
    receiver: receipt.message.receiver,
    body: {
      messageId: receipt.message.id,
      timestamp: receipt.at,
      action: isRead ? "readByAll" : "deliveredToAll",
      user: { uid, name, avatar: "", role, status },
    },
  });
}

function common({ message }: Receipt, sender: string): JsonObject {
  return { receiverType: message.receiverType, type: "receipts", sender, messageSender: message.sender };
}
