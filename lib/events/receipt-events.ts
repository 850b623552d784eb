import { groupConversation, userConversation } from "./conversation.ts";
import { defineEvent } from "./define-event.ts";
import { firstMoment } from "./first-moment.ts";
import { filledText, id, open, optional, text, time } from "./scalars.ts";
import type { Receipt } from "./types/receipt-events.ts";
import { userSchema } from "./users-and-groups.ts";

/** Reads the receipts of the current engine. @see docs/internals/platform/events.md#receipts */
export const receiptEvents = {
  message_delivery_receipt: currentReceipt("message_delivery_receipt"),
  message_read_receipt: currentReceipt("message_read_receipt"),
  message_delivered_to_all: currentReceipt("message_delivered_to_all"),
  message_read_by_all: currentReceipt("message_read_by_all"),
};

/**
 * Reads the receipts of the legacy engine, which have the same names.
 * @see docs/internals/platform/legacy-engine.md#legacy-receipts
 */
export const legacyReceiptEvents = {
  message_delivery_receipt: legacyReceipt("message_delivery_receipt"),
  message_read_receipt: legacyReceipt("message_read_receipt"),
};

/** The action's name in the receipt (docs/internals/platform/events.md#receipts). */
const actionsByName: Readonly<Record<string, string>> = {
  message_delivery_receipt: "delivered",
  message_read_receipt: "read",
  message_delivered_to_all: "deliveredToAll",
  message_read_by_all: "readByAll",
};

function currentReceipt<const Trigger extends string>(trigger: Trigger) {
  return defineEvent({
    family: "webhook",
    trigger,
    schema: open({
      receiver: optional(id),
      receiverType: optional(text),
      sender: optional(id),
      messageSender: optional(id),
      body: open({
        action: optional(filledText),
        messageId: id,
        user: optional(userSchema),
        timestamp: optional(time),
      }),
    }),
    normalise: ({ receiver, receiverType, sender, messageSender, body }) => {
      const reader = body.user?.uid ?? sender;
      const { messageId, action = actionsByName[trigger] ?? trigger, timestamp: at } = body;
      const isGroup = receiverType === "group";
      // Between two users, the receiver of the receipt is the author of the message.
      const author = messageSender ?? (isGroup ? undefined : receiver);
      const receipt = { messageId, action, reader, author, at };
      return readReceipt(receipt, "data.body.timestamp", isGroup ? receiver : undefined);
    },
  });
}

function legacyReceipt<const Trigger extends string>(trigger: Trigger) {
  return defineEvent({
    family: "legacy",
    trigger,
    schema: open({
      messageId: id,
      receiptType: optional(filledText),
      deliveredAt: optional(time),
      readAt: optional(time),
      messageSender: optional(id),
      receiptSender: optional(id),
      receiptReceiver: optional(id),
      receiverType: optional(text),
    }),
    normalise: (data) => {
      const isGroup = data.receiverType === "group";
      const author = data.messageSender ?? (isGroup ? undefined : data.receiptReceiver);
      const fromName = actionsByName[trigger] ?? trigger;
      const { messageId, receiptType: action = fromName, receiptSender: reader } = data;
      // For a read message, the time of delivery is not the time of reading.
      const field = trigger === "message_read_receipt" ? "readAt" : "deliveredAt";
      const receipt = { messageId, action, reader, author, at: data[field] };
      return readReceipt(receipt, `data.${field}`, isGroup ? data.receiptReceiver : undefined);
    },
  });
}

function readReceipt(receipt: Receipt, atField: string, guid: string | undefined) {
  const conversation =
    guid === undefined ? userConversation(receipt.reader, receipt.author) : groupConversation(guid);
  const head = { ...firstMoment({ [atField]: receipt.at }), actor: receipt.reader, conversation };
  return { head, facts: { receipt } };
}
