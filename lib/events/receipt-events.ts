import { groupConversation, userConversation } from "./conversation.ts";
import { defineEvents, firstMoment } from "./define-event.ts";

import { each, filledText, id, open, optional, text, time } from "./scalars.ts";
import { userSchema } from "./users-and-groups.ts";

/** docs/internals/platform/events.md#receipts */
const actions = {
  message_delivery_receipt: "delivered",
  message_read_receipt: "read",
  message_delivered_to_all: "deliveredToAll",
  message_read_by_all: "readByAll",
};

/** @see docs/internals/platform/events.md#receipts */
export const receiptEvents = defineEvents(
  "webhook",
  ["message_delivery_receipt", "message_read_receipt", "message_delivered_to_all", "message_read_by_all"],
  open({
    ...each(["receiver", "sender", "messageSender"], id),
    receiverType: optional(text),
    body: open({
      action: optional(filledText),
      messageId: id,
      user: optional(userSchema),
      timestamp: optional(time),
    }),
  }),
  ({ body, ...receipt }, trigger) => {
    const { messageId, action = actions[trigger], timestamp } = body;
    const reader = body.user?.uid ?? receipt.sender;
    return readReceipt({ ...receipt, messageId, action, reader }, "data.body.timestamp", timestamp);
  },
);

/** Of the same names. @see docs/internals/platform/legacy-engine.md#legacy-receipts */
export const legacyReceiptEvents = defineEvents(
  "legacy",
  ["message_delivery_receipt", "message_read_receipt"],
  open({
    messageId: id,
    receiptType: optional(filledText),
    ...each(["deliveredAt", "readAt"], time),
    ...each(["messageSender", "receiptSender", "receiptReceiver"], id),
    receiverType: optional(text),
  }),
  ({ receiptType: action, receiptSender: reader, receiptReceiver: receiver, ...receipt }, trigger) => {
    // A read message's time of delivery is not that of reading.
    const field = trigger === "message_read_receipt" ? "readAt" : "deliveredAt";
    const read = { ...receipt, action: action ?? actions[trigger], reader, receiver };
    return readReceipt(read, `data.${field}`, receipt[field]);
  },
);

interface ReadFields {
  readonly messageId: string;
  readonly action: string;
  readonly reader: string | undefined;
  readonly receiver?: string | undefined;
  readonly receiverType?: string | undefined;
  readonly messageSender?: string | undefined;
}

function readReceipt(fields: ReadFields, atField: string, at: Date | undefined) {
  const { messageId, action, reader, receiver, messageSender } = fields;
  const guid = fields.receiverType === "group" ? receiver : undefined;
  // Between two users, the receipt's receiver is the message's author.
  const author = messageSender ?? (fields.receiverType === "group" ? undefined : receiver);
  const conversation = guid === undefined ? userConversation(reader, author) : groupConversation(guid);
  const head = { ...firstMoment({ [atField]: at }), actor: reader, conversation };
  return { head, facts: { receipt: { messageId, action, reader, author, at } } };
}
