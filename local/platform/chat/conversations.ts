import { ensure, ensureField, messageNotFound } from "../errors/platform-error.ts";
import { optionalTags } from "../http/fields.ts";
import { type AppRequest, acknowledge, appFamily, pageMeta, readPage, reply } from "../http/route.ts";
import { nowSeconds } from "../services/services.ts";
import {
  type Conversation,
  clearForAll,
  lastMessageId,
  putConversation,
  selectConversations,
} from "../store/conversations.ts";
import { hasRow } from "../store/database.ts";
import { findMessage } from "../store/messages.ts";
import { purgeConversation } from "../store/purge.ts";
import { moveMark, moveReadBack, type ReceiptAction } from "../store/receipts.ts";
import {
  conversationIdWith,
  listPinned,
  pinConversation,
  presentConversations,
  replacePinned,
  requireConversation,
  unpinConversation,
} from "./conversation-view.ts";
import { requireGroup, requireUser } from "./lookup.ts";
import { requireActor, requireMessage } from "./message-view.ts";

const both = [
  ["user", ""],
  ["group", "group-"],
] as const;

export const conversationRoutes = [
  ...appFamily({
    "list-all-conversations"(request) {
      const page = readPage(request.query);
      const window = { ...page, uid: request.actor?.uid };
      const { items, total } = selectConversations(request, request.query, window);
      const shown = presentConversations(request, items, {
        withTags: request.query.flag("withTags") === true,
        withPeerTags: request.query.flag("withUserAndGroupTags") === true,
      });
      return reply(shown, { meta: pageMeta(page, total, shown.length) });
    },
    "get-conversation": (request) => show(request, requireById(request)),
    "delete-conversation"(request) {
      const conversation = requireById(request);
      const { conversationId } = conversation;
      const upTo = lastMessageId(request, conversationId);
      clearForAll(request, conversation, { upTo, isHidden: true });
      return acknowledge(
        `The conversation ${conversationId} has been deleted successfully for all the users.`,
      );
    },
    "list-global-pinned-conversations": listPinned,
    "replace-global-pinned-conversations": replacePinned,
  }),
  ...both.flatMap(([type, ids]) =>
    appFamily({
      [`get-${type}-conversations`]: own(type, show),
      [`update-${type}-conversation`]: own(type, updateTags),
      [`reset-${type}-conversation`]: own(type, resetConversation),
      [`pin-${type}-conversation`]: own(type, pinConversation),
      [`unpin-${type}-conversation`]: own(type, unpinConversation),
      [`mark-${ids}conversation-as-delivered`]: own(type, markConversation, "delivered"),
      [`mark-${ids}conversation-as-read`]: own(type, markConversation, "read"),
      [`mark-${ids}conversation-as-unread`]: own(type, markUnread),
    }),
  ),
];

function own<More extends unknown[]>(
  type: "user" | "group",
  handle: (request: AppRequest, conversation: Conversation, ...more: More) => object,
  ...more: More
) {
  return (request: AppRequest) => {
    const { uid } = requireActor(request);
    const peer = { type, id: type === "group" ? requireGroup(request).guid : requireUser(request).uid };
    return handle(request, requireConversation(request, uid, conversationIdWith(uid, peer)), ...more);
  };
}

function requireById(request: AppRequest) {
  const conversationId = request.param("conversationId");
  ensure(
    hasRow(request, "conversations", { conversationId }),
    "ERR_CONVERSATION_NOT_FOUND",
    `The conversation ${conversationId} does not exist.`,
  );
  return requireConversation(request, requireActor(request).uid, conversationId);
}

function show(request: AppRequest, conversation: Conversation) {
  const [shown = {}] = presentConversations(request, [conversation], { withTags: true, withPeerTags: true });
  return request.switches.singleConversationForm === "array" ? [shown] : shown;
}

function updateTags(request: AppRequest, conversation: Conversation) {
  const changed = { ...conversation, tags: optionalTags(request.body) ?? conversation.tags };
  putConversation(request, changed);
  return show(request, changed);
}

function resetConversation(request: AppRequest, conversation: Conversation) {
  const { conversationId, uid } = conversation;
  const lastId = lastMessageId(request, conversationId);
  const isPermanent = conversation.type === "user" && request.body.deleteMessagesPermanently === true;
  if (isPermanent) {
    purgeConversation(request, conversationId, uid);
    clearForAll(request, conversation, { upTo: lastId, isHidden: false });
  }
  putConversation(request, {
    ...conversation,
    unread: 0,
    readId: lastId,
    deliveredId: lastId,
    clearedId: lastId,
    isHidden: request.body.preserveOrder !== true,
  });
  return acknowledge(`The conversation ${conversationId} has been deleted successfully for UID ${uid}.`);
}

// REST marks fire no event (docs/internals/platform/events.md#receipts, seen live).

function markConversation(request: AppRequest, conversation: Conversation, action: ReceiptAction) {
  const upTo = readMessageId(request, conversation) ?? lastMessageId(request, conversation.conversationId);
  const mark = { action, upTo, at: nowSeconds(request) };
  moveMark(request, conversation, mark);
  const where = conversation.type === "group" ? "in the group" : "from the user";
  const message = `All the messages ${where} are marked as ${action} for the requesting user.`;
  // @see docs/internals/platform/answers-and-errors.md#envelope (`Message`)
  return { success: true, [conversation.type === "group" ? "message" : "Message"]: message };
}

function markUnread(request: AppRequest, conversation: Conversation) {
  const upTo = readMessageId(request, conversation) ?? conversation.clearedId;
  moveReadBack(request, conversation, Math.max(upTo, conversation.clearedId));
  const where = conversation.type === "group" ? "in the group" : "from the user";
  return acknowledge(
    `The messages after the message id ${upTo} ${where} ${conversation.peer} are marked as unread for the user ${conversation.uid}.`,
  );
}

function readMessageId(request: AppRequest, conversation: Conversation) {
  const { messageId } = request.body;
  if (messageId === undefined || messageId === null) return undefined;
  ensureField(/^\d{1,15}$/.test(String(messageId)), "messageId", "The messageId must be an integer.");
  const message = findMessage(request, String(messageId));
  if (message?.conversationId !== conversation.conversationId) throw messageNotFound();
  return Number(requireMessage(request, message.id).id);
}
