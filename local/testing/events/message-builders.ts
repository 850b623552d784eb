import { current, defaultTime, userMap, userOf } from "./body.ts";
import { messageBody } from "./message-body.ts";
import type {
  MentionFacts,
  MessageChangeFacts,
  MessageFacts,
  ReactionFacts,
  ReceiptFacts,
} from "./message-facts.ts";

/** Builds the bodies of message events. */
export const messageBuilders = {
  /** Builds `message_sent`. */
  messageSent: current("message_sent", (facts: MessageFacts) => ({ message: messageBody(facts) })),
  /** Mentions `uids` in the text, by default the receiver. */
  userMentioned: current("user_mentioned", (facts: MentionFacts) => {
    const { uids = [facts.receiver ?? "bela"] } = facts;
    const message = messageBody({ text: uids.map((uid) => `<@uid:${uid}>`).join(" "), ...facts });
    return { message: { ...message, data: { ...message.data, mentions: userMap(uids) } } };
  }),
  /** Builds `message_edited`. */
  messageEdited: changed("edited"),
  /** Builds `message_deleted`. */
  messageDeleted: changed("deleted"),
  /** Builds `message_pinned`. */
  messagePinned: pinned("pinned", defaultTime + 60),
  /** Builds `message_unpinned`. */
  messageUnpinned: pinned("unpinned", defaultTime + 90),
  /** Builds `message_delivery_receipt`. */
  messageDeliveryReceipt: receipt("message_delivery_receipt", "delivered"),
  /** Builds `message_read_receipt`. */
  messageReadReceipt: receipt("message_read_receipt", "read"),
  /** Builds `message_delivered_to_all`. */
  messageDeliveredToAll: receiptOfAll("message_delivered_to_all", "deliveredToAll"),
  /** Builds `message_read_by_all`. */
  messageReadByAll: receiptOfAll("message_read_by_all", "readByAll"),
  /** Builds `message_reaction_added`. */
  messageReactionAdded: current("message_reaction_added", reactionData),
  /** Builds `message_reaction_removed`. */
  messageReactionRemoved: current("message_reaction_removed", reactionData),
};

function changed(action: "edited" | "deleted") {
  return current(`message_${action}`, (facts: MessageChangeFacts) => {
    const { sender = "ann", by = sender, at = defaultTime + 30, form = "live" } = facts;
    const message = {
      ...messageBody(action === "edited" ? { text: "Hello again", ...facts } : facts),
      [`${action}At`]: at,
      [`${action}By`]: by,
    };
    if (form === "live") return { message: { ...message, updatedAt: at } };

    const { id, conversationId, receiverType, receiver } = message;
    const deleted = { id, conversationId, deletedAt: at, deletedBy: by };
    const entities = {
      by: { entity: userOf(by), entityType: "user" },
      on: { entity: action === "edited" ? message : deleted, entityType: "message" },
    };
    return {
      message: {
        id: `${id}-${action}`,
        conversationId,
        sender: by,
        receiverType,
        receiver,
        category: "action",
        type: "message",
        data: { action, entities },
        sentAt: at,
        updatedAt: at,
      },
    };
  });
}

function pinned(action: "pinned" | "unpinned", usualTime: number) {
  return current(`message_${action}`, (facts: MessageChangeFacts) => {
    const { by = "ann", at = usualTime } = facts;
    return { message: { ...messageBody(facts), updatedAt: at, [`${action}At`]: at, [`${action}By`]: by } };
  });
}

function receipt(trigger: string, action: string) {
  return current(trigger, (facts: ReceiptFacts) => receiptData(action, facts));
}

function receiptOfAll(trigger: string, action: string) {
  return current(trigger, (facts: ReceiptFacts) =>
    receiptData(action, { guid: "chess-club", ...facts, reader: "app_system" }),
  );
}

function receiptData(action: string, facts: ReceiptFacts) {
  const { messageId = "1001", reader = "bela", author = "ann", guid, at = defaultTime + 5 } = facts;
  return {
    receiver: guid ?? author,
    receiverType: guid === undefined ? "user" : "group",
    type: "receipts",
    sender: reader,
    messageSender: author,
    body: { action, messageId, user: userOf(reader), timestamp: at },
  };
}

function reactionData(facts: ReactionFacts) {
  const { id = "reaction-1", messageId = "1001", reaction = "♟", uid = "bela" } = facts;
  const { reactedAt = defaultTime + 10 } = facts;
  return { reaction: { id, messageId, reaction, uid, reactedAt, reactedBy: userOf(uid) } };
}
