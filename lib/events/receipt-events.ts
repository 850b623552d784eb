import * as z from "zod/mini";
import { groupConversation, userConversation } from "./conversation.ts";
import { defineEvent } from "./define-event.ts";
import { firstMoment } from "./first-moment.ts";
import { decoration, id, open, seconds, text } from "./scalars.ts";
import { userSchema } from "./users-and-groups.ts";

/** That a message arrived or was read, in one form for both engines. */
interface Receipt {
  readonly messageId: string;
  /** `delivered`, `read`, `deliveredToAll`, `readByAll` or a new one. */
  readonly action: string;
  /** Who received or read; `app_system` where everybody did. */
  readonly reader: string | undefined;
  /** Who wrote the message. */
  readonly author: string | undefined;
  readonly at: Date | undefined;
}

/** Reads the receipts of the current engine. @see docs/platform/events.md#receipts */
export const receiptEvents = {
  message_delivery_receipt: currentReceipt("message_delivery_receipt"),
  message_read_receipt: currentReceipt("message_read_receipt"),
  message_delivered_to_all: currentReceipt("message_delivered_to_all"),
  message_read_by_all: currentReceipt("message_read_by_all"),
};

/**
 * Reads the receipts of the legacy engine, which have the same names.
 * @see docs/platform/legacy-engine.md#legacy-receipts
 */
export const legacyReceiptEvents = {
  message_delivery_receipt: legacyReceipt("message_delivery_receipt"),
  message_read_receipt: legacyReceipt("message_read_receipt"),
};

function currentReceipt<const Trigger extends string>(trigger: Trigger) {
  return defineEvent({
    family: "webhook",
    trigger,
    schema: open({
      receiver: z.optional(id),
      receiverType: z.optional(text),
      sender: z.optional(id),
      messageSender: z.optional(id),
      body: open({
        action: text,
        messageId: id,
        user: decoration(userSchema),
        timestamp: z.optional(seconds),
      }),
    }),
    normalise: ({ receiver, receiverType, sender, messageSender, body }) => {
      const reader = body.user?.uid ?? sender;
      const { messageId, action, timestamp: at } = body;
      const isGroup = receiverType === "group";
      // Between two people the receiver of the receipt is the author of the message.
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
      receiptType: z.optional(text),
      deliveredAt: z.optional(seconds),
      readAt: z.optional(seconds),
      messageSender: z.optional(id),
      receiptSender: z.optional(id),
      receiptReceiver: z.optional(id),
      receiverType: z.optional(text),
    }),
    normalise: (data) => {
      const isGroup = data.receiverType === "group";
      const author = data.messageSender ?? (isGroup ? undefined : data.receiptReceiver);
      const fromName = trigger === "message_read_receipt" ? "read" : "delivered";
      const { messageId, receiptType: action = fromName, receiptSender: reader } = data;
      const receipt = { messageId, action, reader, author, at: data.readAt ?? data.deliveredAt };
      const field = data.readAt === undefined ? "data.deliveredAt" : "data.readAt";
      return readReceipt(receipt, field, isGroup ? data.receiptReceiver : undefined);
    },
  });
}

function readReceipt(receipt: Receipt, atField: string, guid: string | undefined) {
  const conversation =
    guid === undefined ? userConversation(receipt.reader, receipt.author) : groupConversation(guid);
  const head = { ...firstMoment({ [atField]: receipt.at }), actor: receipt.reader, conversation };
  return { head, facts: { receipt } };
}
