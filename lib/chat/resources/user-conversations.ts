import * as z from "zod/mini";
import { acknowledgement } from "../answers.ts";
import { optional, platformId, yesNo } from "../fields.ts";
import type { Family } from "../operation.ts";
import { conversationAnswer } from "./conversation-answer.ts";
import { messageMark, pinnedConversationAnswer, tagsInput } from "./conversation-input.ts";

/**
 * The acting user's conversation with a user. See
 * docs/internals/platform/conversations.md#reading-and-tagging.
 * @example
 * const withBob = await chat.userConversations.get("bob", { onBehalfOf: "alice" });
 * if (withBob.unreadMessageCount) await chat.userConversations.markRead("bob", {}, { onBehalfOf: "alice" });
 * await chat.userConversations.pin("bob", { onBehalfOf: "alice" });
 */
export const userConversations = {
  /** Reads the conversation. Errors: ERR_CONVERSATION_NOT_ACCESSIBLE, also before its first message. */
  get: {
    id: "get-user-conversations",
    request: "GET /users/{uid}/conversation",
    onBehalfOf: "required",
    answer: conversationAnswer,
  },
  /** Sets the acting user's tags on the conversation. */
  update: {
    id: "update-user-conversation",
    request: "PUT /users/{uid}/conversation",
    onBehalfOf: "required",
    input: tagsInput,
    answer: conversationAnswer,
  },
  /** Deletes the conversation for the acting user. */
  reset: {
    id: "reset-user-conversation",
    request: "DELETE /users/{uid}/conversation",
    onBehalfOf: "required",
    input: () =>
      z.strictObject(
        optional({
          conversationWith: platformId(),
          deleteMessagesPermanently: yesNo(),
          preserveOrder: yesNo(),
        }),
      ),
    answer: acknowledgement,
  },
  /**
   * Pins the conversation for the acting user, at most 5. Errors: ERR_PINNED_CONVERSATIONS_LIMIT_EXCEEDED,
   * ERR_SYSTEM_PINNED_CONVERSATION. Pinning again keeps the first time.
   */
  pin: {
    id: "pin-user-conversation",
    request: "POST /users/{uid}/conversation/pin",
    onBehalfOf: "required",
    answer: pinnedConversationAnswer,
  },
  /** Unpins the conversation for the acting user. Errors: ERR_SYSTEM_PINNED_CONVERSATION. */
  unpin: {
    id: "unpin-user-conversation",
    request: "DELETE /users/{uid}/conversation/pin",
    onBehalfOf: "required",
    answer: pinnedConversationAnswer,
  },
  /** Marks messages as delivered to the acting user, up to `messageId`. Harmless if repeated. */
  markDelivered: {
    id: "mark-conversation-as-delivered",
    request: "POST /users/{uid}/conversation/delivered",
    onBehalfOf: "required",
    input: messageMark,
    answer: acknowledgement,
  },
  /** Marks messages as read by the acting user, up to `messageId`. Harmless if repeated. */
  markRead: {
    id: "mark-conversation-as-read",
    request: "POST /users/{uid}/conversation/read",
    onBehalfOf: "required",
    input: messageMark,
    answer: acknowledgement,
  },
  /** Marks the messages after `messageId` as unread by the acting user. */
  markUnread: {
    id: "mark-conversation-as-unread",
    request: "DELETE /users/{uid}/conversation/read",
    onBehalfOf: "required",
    input: messageMark,
    answer: acknowledgement,
  },
} as const satisfies Family;
