import { currentCall, defaultTime, type EventBody, type EventEnvelope, userMap, userOf } from "./body.ts";
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
  /** Builds the body of `message_sent`. */
  messageSent: (facts: MessageFacts = {}, envelope?: EventEnvelope): EventBody =>
    currentCall("message_sent", { message: messageBody(facts) }, envelope),

  /** Mentions `uids` in the text, by default the receiver. */
  userMentioned: (facts: MentionFacts = {}, envelope?: EventEnvelope): EventBody => {
    const { uids = [facts.receiver ?? "bela"] } = facts;
    const message = messageBody({ text: uids.map((uid) => `<@uid:${uid}>`).join(" "), ...facts });
    const data = { ...message.data, mentions: userMap(uids) };
    return currentCall("user_mentioned", { message: { ...message, data } }, envelope);
  },

  /** Builds the body of `message_edited`. */
  messageEdited: (facts: MessageChangeFacts = {}, envelope?: EventEnvelope): EventBody =>
    currentCall(
      "message_edited",
      { message: changedBody("edited", { text: "Hello again", ...facts }) },
      envelope,
    ),

  /** Builds the body of `message_deleted`. */
  messageDeleted: (facts: MessageChangeFacts = {}, envelope?: EventEnvelope): EventBody =>
    currentCall("message_deleted", { message: changedBody("deleted", facts) }, envelope),

  /** Builds the body of `message_pinned`. */
  messagePinned: (facts: MessageChangeFacts = {}, envelope?: EventEnvelope): EventBody => {
    const { by = "ann", at = defaultTime + 60 } = facts;
    const message = { ...messageBody(facts), updatedAt: at, pinnedAt: at, pinnedBy: by };
    return currentCall("message_pinned", { message }, envelope);
  },

  /** Builds the body of `message_unpinned`. */
  messageUnpinned: (facts: MessageChangeFacts = {}, envelope?: EventEnvelope): EventBody => {
    const { by = "ann", at = defaultTime + 90 } = facts;
    const message = { ...messageBody(facts), updatedAt: at, unpinnedAt: at, unpinnedBy: by };
    return currentCall("message_unpinned", { message }, envelope);
  },

  /** Builds the body of `message_delivery_receipt`. */
  messageDeliveryReceipt: (facts: ReceiptFacts = {}, envelope?: EventEnvelope): EventBody =>
    currentCall("message_delivery_receipt", receiptBody("delivered", facts), envelope),

  /** Builds the body of `message_read_receipt`. */
  messageReadReceipt: (facts: ReceiptFacts = {}, envelope?: EventEnvelope): EventBody =>
    currentCall("message_read_receipt", receiptBody("read", facts), envelope),

  /** Builds the body of `message_delivered_to_all`. */
  messageDeliveredToAll: (facts: ReceiptFacts = {}, envelope?: EventEnvelope): EventBody =>
    currentCall("message_delivered_to_all", receiptToAll("deliveredToAll", facts), envelope),

  /** Builds the body of `message_read_by_all`. */
  messageReadByAll: (facts: ReceiptFacts = {}, envelope?: EventEnvelope): EventBody =>
    currentCall("message_read_by_all", receiptToAll("readByAll", facts), envelope),

  /** Builds the body of `message_reaction_added`. */
  messageReactionAdded: (facts: ReactionFacts = {}, envelope?: EventEnvelope): EventBody =>
    currentCall("message_reaction_added", { reaction: reactionBody(facts) }, envelope),

  /** Builds the body of `message_reaction_removed`. */
  messageReactionRemoved: (facts: ReactionFacts = {}, envelope?: EventEnvelope): EventBody =>
    currentCall("message_reaction_removed", { reaction: reactionBody(facts) }, envelope),
};

function changedBody(action: "edited" | "deleted", facts: MessageChangeFacts) {
  const { sender = "ann", by = sender, at = defaultTime + 30, form = "live" } = facts;
  const changed = { ...messageBody(facts), [`${action}At`]: at, [`${action}By`]: by };
  if (form === "live") return { ...changed, updatedAt: at };

  const { id, conversationId, receiverType, receiver } = changed;
  const deleted = { id, conversationId, deletedAt: at, deletedBy: by };
  return {
    id: `${id}-${action}`,
    conversationId,
    sender: by,
    receiverType,
    receiver,
    category: "action",
    type: "message",
    data: {
      action,
      entities: {
        by: { entity: userOf(by), entityType: "user" },
        on: { entity: action === "edited" ? changed : deleted, entityType: "message" },
      },
    },
    sentAt: at,
    updatedAt: at,
  };
}

function receiptBody(action: string, facts: ReceiptFacts) {
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

function receiptToAll(action: string, facts: ReceiptFacts) {
  return receiptBody(action, { guid: "chess-club", ...facts, reader: "app_system" });
}

function reactionBody(facts: ReactionFacts) {
  const { id = "reaction-1", messageId = "1001", reaction = "♟", uid = "bela" } = facts;
  const { reactedAt = defaultTime + 10 } = facts;
  return { id, messageId, reaction, uid, reactedAt, reactedBy: userOf(uid) };
}
