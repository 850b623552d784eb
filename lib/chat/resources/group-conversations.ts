import { acknowledgement } from "../answers.ts";
import type { Family } from "../operation.ts";
import { conversationAnswer } from "./conversation-answer.ts";
import { messageMark, pinnedConversationAnswer, resetInput, tagsInput } from "./conversation-input.ts";

/**
 * The acting user's conversation with a group. See
 * docs/internals/platform/conversations.md#reading-and-tagging.
 * @example
 * const conversation = await chat.groupConversations.get("lobby", { onBehalfOf: "alice" });
 * console.log(conversation.unreadMessageCount);
 * await chat.groupConversations.markRead("lobby", {}, { onBehalfOf: "alice" });
 */
export const groupConversations = {
  /** Reads the conversation. Errors: ERR_CONVERSATION_NOT_ACCESSIBLE, also before its first message. */
  get: {
    id: "get-group-conversations",
    request: "GET /groups/{guid}/conversation",
    onBehalfOf: "required",
    answer: conversationAnswer,
  },
  /** Sets the acting user's tags on the conversation. */
  update: {
    id: "update-group-conversation",
    request: "PUT /groups/{guid}/conversation",
    onBehalfOf: "required",
    input: tagsInput,
    answer: conversationAnswer,
  },
  /** Deletes the conversation for the acting user. */
  reset: {
    id: "reset-group-conversation",
    request: "DELETE /groups/{guid}/conversation",
    onBehalfOf: "required",
    input: resetInput,
    answer: acknowledgement,
  },
  /**
   * Pins the conversation for the acting user, at most 5. Errors: ERR_PINNED_CONVERSATIONS_LIMIT_EXCEEDED,
   * ERR_SYSTEM_PINNED_CONVERSATION. Pinning again keeps the first time.
   */
  pin: {
    id: "pin-group-conversation",
    request: "POST /groups/{guid}/conversation/pin",
    onBehalfOf: "required",
    answer: pinnedConversationAnswer,
  },
  /** Unpins the conversation for the acting user. Errors: ERR_SYSTEM_PINNED_CONVERSATION. */
  unpin: {
    id: "unpin-group-conversation",
    request: "DELETE /groups/{guid}/conversation/pin",
    onBehalfOf: "required",
    answer: pinnedConversationAnswer,
  },
  /** Marks messages as delivered to the acting user, up to `messageId`. Harmless if repeated. */
  markDelivered: {
    id: "mark-group-conversation-as-delivered",
    request: "POST /groups/{guid}/conversation/delivered",
    onBehalfOf: "required",
    input: messageMark,
    answer: acknowledgement,
  },
  /** Marks messages as read by the acting user, up to `messageId`. Harmless if repeated. */
  markRead: {
    id: "mark-group-conversation-as-read",
    request: "POST /groups/{guid}/conversation/read",
    onBehalfOf: "required",
    input: messageMark,
    answer: acknowledgement,
  },
  /** Marks the messages after `messageId` as unread by the acting user. */
  markUnread: {
    id: "mark-group-conversation-as-unread",
    request: "DELETE /groups/{guid}/conversation/read",
    onBehalfOf: "required",
    input: messageMark,
    answer: acknowledgement,
  },
} as const satisfies Family;
