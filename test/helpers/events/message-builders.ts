import { currentCall, defaultTime, type Envelope, userMap, userOf } from "./body.ts";
import { type MessageFacts, messageBody } from "./message-body.ts";

type ChangeFacts = MessageFacts & {
  /** Who changed it; by default its sender. */
  by?: string;
  /** In seconds. */
  at?: number;
  /** `live`: the changed message itself, as seen live. `documented`: an action message that holds it. */
  form?: "live" | "documented";
};

type ReceiptFacts = { messageId?: string; reader?: string; author?: string; guid?: string; at?: number };
type ReactionFacts = { id?: string; messageId?: string; reaction?: string; uid?: string; reactedAt?: number };

/** Builds the bodies of what happens to messages. */
export const messageBuilders = {
  messageSent: (facts: MessageFacts = {}, envelope?: Envelope) =>
    currentCall("message_sent", { message: messageBody(facts) }, envelope),

  /** Mentions `uids` in the text, by default the receiver. */
  userMentioned: (facts: MessageFacts & { uids?: string[] } = {}, envelope?: Envelope) => {
    const { uids = [facts.receiver ?? "bela"] } = facts;
    const message = messageBody({ text: uids.map((uid) => `<@uid:${uid}>`).join(" "), ...facts });
    const data = { ...message.data, mentions: userMap(uids) };
    return currentCall("user_mentioned", { message: { ...message, data } }, envelope);
  },

  messageEdited: (facts: ChangeFacts = {}, envelope?: Envelope) =>
    currentCall(
      "message_edited",
      { message: changedBody("edited", { text: "Hello again", ...facts }) },
      envelope,
    ),

  messageDeleted: (facts: ChangeFacts = {}, envelope?: Envelope) =>
    currentCall("message_deleted", { message: changedBody("deleted", facts) }, envelope),

  messagePinned: (facts: ChangeFacts = {}, envelope?: Envelope) => {
    const { by = "ann", at = defaultTime + 60 } = facts;
    const message = { ...messageBody(facts), updatedAt: at, pinnedAt: at, pinnedBy: by };
    return currentCall("message_pinned", { message }, envelope);
  },

  messageUnpinned: (facts: ChangeFacts = {}, envelope?: Envelope) => {
    const { by = "ann", at = defaultTime + 90 } = facts;
    const message = { ...messageBody(facts), updatedAt: at, unpinnedAt: at, unpinnedBy: by };
    return currentCall("message_unpinned", { message }, envelope);
  },

  messageDeliveryReceipt: (facts: ReceiptFacts = {}, envelope?: Envelope) =>
    currentCall("message_delivery_receipt", receiptBody("delivered", facts), envelope),

  messageReadReceipt: (facts: ReceiptFacts = {}, envelope?: Envelope) =>
    currentCall("message_read_receipt", receiptBody("read", facts), envelope),

  messageDeliveredToAll: (facts: ReceiptFacts = {}, envelope?: Envelope) =>
    currentCall("message_delivered_to_all", receiptToAll("deliveredToAll", facts), envelope),

  messageReadByAll: (facts: ReceiptFacts = {}, envelope?: Envelope) =>
    currentCall("message_read_by_all", receiptToAll("readByAll", facts), envelope),

  messageReactionAdded: (facts: ReactionFacts = {}, envelope?: Envelope) =>
    currentCall("message_reaction_added", { reaction: reactionBody(facts) }, envelope),

  messageReactionRemoved: (facts: ReactionFacts = {}, envelope?: Envelope) =>
    currentCall("message_reaction_removed", { reaction: reactionBody(facts) }, envelope),
};

function changedBody(action: "edited" | "deleted", facts: ChangeFacts) {
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
