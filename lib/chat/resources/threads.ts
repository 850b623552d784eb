import * as z from "zod/mini";
import { acknowledgement } from "../answers.ts";
import { affix, int, optional, pageQuery, unixSeconds, yesNo } from "../fields.ts";
import type { Family } from "../operation.ts";
import { messageAnswer } from "./message-answer.ts";
import { replyInput } from "./message-input.ts";

/**
 * Threads below messages; one level deep. See docs/internals/platform/messages.md#threads.
 * @example
 * await chat.threads.reply(
 *   messageId,
 *   { receiver: "bob", receiverType: "user", type: "text", data: { text: "Which one?" } },
 *   { onBehalfOf: "alice" },
 * );
 * const replies = await chat.threads.listReplies(messageId, {}, { onBehalfOf: "alice" }).page();
 */
export const threads = {
  /**
   * Replies in the thread of a message. Limits as for `messages.send`. Errors: ERR_MESSAGE_ID_NOT_FOUND,
   * ERR_MESSAGE_THREAD_NESTING (a reply to a reply), ERR_WRONG_MESSAGE_THREAD.
   */
  reply: {
    id: "send-thread-message",
    request: "POST /messages/{id}/thread",
    onBehalfOf: "required",
    input: replyInput,
    answer: messageAnswer,
  },
  /**
   * Lists the replies to a message by page, though its answers have the form of a cursor's. `perPage` default
   * 100. Errors: ERR_MESSAGE_ID_NOT_FOUND.
   */
  listReplies: {
    id: "list-all-thread-messages",
    request: "GET /messages/{id}/thread",
    onBehalfOf: "optional",
    input: pageQuery,
    paged: "page",
    answer: messageAnswer,
  },
  /** Lists threads as their first messages, with `replyCount` and `lastReply`. `limit` default 100. */
  list: {
    id: "list-all-threads",
    request: "GET /threads",
    onBehalfOf: "optional",
    input: () =>
      z.strictObject(
        optional({
          limit: int(1, 1_000),
          affix: affix(),
          updatedAt: unixSeconds(),
          participatedByMe: yesNo(),
          withUnreadReplyCount: yesNo(),
          withMentionCount: yesNo(),
        }),
      ),
    paged: "cursor",
    answer: messageAnswer,
  },
  /** Follows a thread. Harmless if repeated. */
  subscribe: {
    id: "subscribe-thread",
    request: "POST /messages/{id}/thread/subscription",
    onBehalfOf: "required",
    answer: acknowledgement,
  },
  /** Stops following a thread. */
  unsubscribe: {
    id: "unsubscribe-thread",
    request: "DELETE /messages/{id}/thread/subscription",
    onBehalfOf: "required",
    answer: acknowledgement,
  },
} as const satisfies Family;
