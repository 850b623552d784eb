import { type Conversation, countUnread, putConversation } from "./conversations.ts";
import { type AppData, putRow } from "./database.ts";
import type { Message } from "./messages.ts";

export type ReceiptAction = "delivered" | "read";

/**
 * Reading includes delivery. `receiptTime` finds the first mark that covers a message.
 * @returns false if the mark existed
 */
export function moveMark(
  data: AppData,
  conversation: Conversation,
  mark: { action: ReceiptAction; upTo: number; at: number },
): boolean {
  const { action, upTo, at } = mark;
  const isNew = upTo > (action === "read" ? conversation.readId : conversation.deliveredId);
  if (!isNew) return false;
  const isDelivery = upTo > conversation.deliveredId;
  if (isDelivery) putReceipt(data, conversation, { action: "delivered", upTo, at });
  if (action === "read") putReceipt(data, conversation, mark);
  putConversation(data, {
    ...conversation,
    deliveredId: Math.max(conversation.deliveredId, upTo),
    ...(action === "read" && { readId: upTo, unread: countUnread(data, conversation, upTo) }),
  });
  return true;
}

/** Marks everything after `upTo` as unread. */
export function moveReadBack({ db, appId }: AppData, conversation: Conversation, upTo: number): void {
  const { conversationId, uid } = conversation;
  const readAt = receiptTime({ db, appId }, { conversationId, uid, action: "read", messageId: upTo });
  db.run(
    "DELETE FROM receipts WHERE app_id = ? AND conversation_id = ? AND uid = ? AND action = 'read' AND up_to > ?",
    appId,
    conversationId,
    uid,
    upTo,
  );
  if (readAt !== undefined && upTo > 0) {
    putReceipt({ db, appId }, conversation, { action: "read", upTo, at: readAt });
  }
  const unread = countUnread({ db, appId }, conversation, upTo);
  putConversation({ db, appId }, { ...conversation, readId: upTo, unread });
}

/** Returns unix seconds. */
export function receiptTime({ db, appId }: AppData, question: ReceiptQuestion): number | undefined {
  return db.value(
    `SELECT at FROM receipts WHERE app_id = ? AND conversation_id = ? AND uid = ? AND action = ? AND up_to >= ?
     ORDER BY up_to LIMIT 1`,
    appId,
    question.conversationId,
    question.uid,
    question.action,
    question.messageId,
  );
}

export function hasEveryMember({ db, appId }: AppData, message: Message, action: ReceiptAction): boolean {
  return !db.has(
    `SELECT 1 AS hit FROM members LEFT JOIN conversations AS own ON own.app_id = members.app_id
       AND own.uid = members.uid AND own.conversation_id = ?
     WHERE members.app_id = ? AND members.guid = ? AND members.uid <> ?
       AND coalesce(own.${action === "read" ? "read_id" : "delivered_id"}, 0) < ? LIMIT 1`,
    message.conversationId,
    appId,
    message.receiver,
    message.sender,
    Number(message.id),
  );
}

type ReceiptQuestion = {
  conversationId: string;
  uid: string;
  action: ReceiptAction;
  messageId: number;
};

function putReceipt(
  data: AppData,
  { conversationId, uid }: Conversation,
  mark: { action: ReceiptAction; upTo: number; at: number },
) {
  putRow(data, "receipts", { conversationId, uid, ...mark });
}
