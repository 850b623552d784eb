import { badRequest } from "../errors/failures.ts";
import { acknowledge, type Reply, reply } from "../http/reply.ts";
import type { AppRequest } from "../http/route.ts";
import { nowSeconds } from "../services/services.ts";
import { type Conversation, lastMessageId } from "../store/conversations.ts";
import { moveMark, moveReadBack, type ReceiptAction } from "../store/receipts.ts";
import { requireMessageIn } from "./conversation-lookup.ts";

// By REST no mark fires a receipt event: clients alone do (docs/platform/events.md#receipts, seen live).

/** Marks a conversation up to the body's `messageId`, or all of it, as delivered or read. */
export function markConversation(
  request: AppRequest,
  conversation: Conversation,
  action: ReceiptAction,
): Reply {
  const upTo =
    readMessageId(request, conversation) ??
    lastMessageId(request.db, request.app.appId, conversation.conversationId);
  const mark = { action, upTo, at: nowSeconds(request) };
  request.db.transaction(() => moveMark(request.db, request.app.appId, conversation, mark));
  const where = conversation.type === "group" ? "in the group" : "from the user";
  const message = `All the messages ${where} are marked as ${action} for the requesting user.`;
  // One-to-one answers spell the key `Message` (docs/platform/answers-and-errors.md#envelope).
  return reply({ success: true, [conversation.type === "group" ? "message" : "Message"]: message });
}

/** Makes everything after the body's `messageId`, or all of the conversation, unread again. */
export function markUnread(request: AppRequest, conversation: Conversation): Reply {
  const upTo = readMessageId(request, conversation) ?? conversation.clearedId;
  request.db.transaction(() =>
    moveReadBack(request.db, request.app.appId, conversation, Math.max(upTo, conversation.clearedId)),
  );
  const where = conversation.type === "group" ? "in the group" : "from the user";
  return acknowledge(
    `The messages after the message id ${upTo} ${where} ${conversation.peer} are marked as unread for the user ${conversation.uid}.`,
  );
}

function readMessageId(request: AppRequest, conversation: Conversation): number | undefined {
  const { messageId } = request.body;
  if (messageId === undefined || messageId === null) return undefined;
  if (!/^\d{1,15}$/.test(String(messageId))) {
    throw badRequest({ messageId: "The messageId must be an integer." });
  }
  return Number(requireMessageIn(request, request.app, conversation.conversationId, String(messageId)).id);
}
