import { acknowledgement, anyId, maybe, maybeNumber, maybeText } from "../answers.ts";
import type { Family } from "../operation.ts";
import {
  affix,
  int,
  list,
  looseObject,
  opt,
  optional,
  pageQuery,
  strictObject,
  tags,
  unixSeconds,
  yesNo,
} from "../schema.ts";
import { deletedMessageAnswer, messageAnswer } from "./message-answer.ts";
import {
  groupMessageQuery,
  messageCursor,
  messageData,
  messageInput,
  messageQuery,
  replyInput,
  userMessageQuery,
} from "./message-input.ts";
import { userAnswer } from "./users.ts";

/**
 * Messages. See docs/internals/platform/messages.md#messages.
 * @example
 * const { id } = await chat.messages.send(
 *   { receiver: "bob", receiverType: "user", type: "text", data: { text: "It is on its way 📦" } },
 *   { onBehalfOf: "alice" },
 * );
 * await chat.messages.update(id, { data: { text: "It has arrived 📦" } }, { onBehalfOf: "alice" });
 * const newest = await chat.messages.listForGroup("lobby", { affix: "prepend" }).toArray({ limit: 20 });
 */
export const messages = {
  /**
   * Sends a message to a user, a group or several of them; without `onBehalfOf`, the app is the sender. To
   * several, returns the platform's answer, whose form is not documented. Payload ≤ 65,536 characters, `data`
   * ≤ 10 KB. Set `muid`: after an unclear failure, the message is looked for by it, at most 20 s or until
   * `deadlineMs`, and sent again only if absent. Errors: ERR_UID_NOT_FOUND, ERR_GUID_NOT_FOUND,
   * ERR_BLOCKED_RECEIVER, ERR_PERMISSION_DENIED. Without `muid` or `alreadyDone` not repeated after unclear
   * failures.
   */
  send: {
    id: "send-message",
    request: "POST /messages",
    onBehalfOf: "optional",
    input: messageInput,
    answer: messageAnswer,
    once: true,
  },
  /**
   * Lists messages of the app, or of the acting user; by cursor (`affix` append = after, with `id` or
   * `sentAt`; prepend = before, newest first). `limit` default 10; times in unix seconds.
   */
  list: {
    id: "list-all-messages",
    request: "GET /messages",
    onBehalfOf: "optional",
    input: messageQuery,
    csv: ["tags", "categories", "senders", "mentionedUids"],
    paged: "cursor",
    cursor: messageCursor,
    growingIds: true,
    answer: messageAnswer,
  },
  /** Lists the messages between a user and the acting user. */
  listForUser: {
    id: "user-list-user-messages",
    request: "GET /users/{uid}/messages",
    onBehalfOf: "optional",
    input: userMessageQuery,
    csv: ["mentionedUids"],
    paged: "cursor",
    cursor: messageCursor,
    growingIds: true,
    answer: messageAnswer,
  },
  /** Lists the messages of a group. `limit` default 10. Errors: ERR_GUID_NOT_FOUND. */
  listForGroup: {
    id: "user-list-group-messages",
    request: "GET /groups/{guid}/messages",
    onBehalfOf: "optional",
    input: groupMessageQuery,
    csv: ["mentionedUids"],
    paged: "cursor",
    cursor: messageCursor,
    growingIds: true,
    answer: messageAnswer,
  },
  /** Reads a message. Errors: ERR_MESSAGE_ID_NOT_FOUND, ERR_MESSAGE_NO_ACCESS. */
  get: {
    id: "get-message-details",
    request: "GET /messages/{id}",
    onBehalfOf: "optional",
    answer: messageAnswer,
  },
  /**
   * Edits a message; the answer is the action message, whose `data.entities.on.entity` is the edited one.
   * `data` ≤ 10 KB. Errors: ERR_MESSAGE_ID_NOT_FOUND, ERR_MESSAGE_NOT_A_SENDER,
   * ERR_MESSAGE_ACTION_NOT_ALLOWED.
   */
  update: {
    id: "update-message",
    request: "PUT /messages/{id}",
    onBehalfOf: "optional",
    input: () => strictObject(optional({ data: messageData, tags })),
    answer: messageAnswer,
  },
  /**
   * Deletes a message; it remains as deleted unless `permanent`. Answers the action message, or for
   * `permanent` an acknowledgement (inferred). Errors: ERR_MESSAGE_ID_NOT_FOUND, ERR_MESSAGE_NOT_A_SENDER.
   */
  delete: {
    id: "delete-message",
    request: "DELETE /messages/{id}",
    onBehalfOf: "optional",
    input: () => strictObject({ permanent: opt(yesNo) }),
    answer: deletedMessageAnswer,
    documented: "several",
  },
  /**
   * Pins a message in its conversation, at most 100. Errors: ERR_PINNED_MESSAGES_LIMIT_EXCEEDED,
   * ERR_PERMISSION_DENIED. Harmless if repeated (inferred).
   */
  pin: {
    id: "pin-message",
    request: "POST /messages/{id}/pin",
    onBehalfOf: "optional",
    answer: messageAnswer,
  },
  /** Unpins a message, also another user's pin. Errors: ERR_MESSAGE_ID_NOT_FOUND. */
  unpin: {
    id: "unpin-message",
    request: "DELETE /messages/{id}/pin",
    onBehalfOf: "optional",
    answer: messageAnswer,
  },
  /**
   * Adds a message to the acting user's private list of at most 100. Errors:
   * ERR_SAVED_MESSAGES_LIMIT_EXCEEDED. Saving again keeps the first time.
   */
  save: {
    id: "save-message",
    request: "POST /messages/{id}/save",
    onBehalfOf: "required",
    answer: messageAnswer,
  },
  /** Removes a message from the acting user's private list. */
  unsave: {
    id: "unsave-message",
    request: "DELETE /messages/{id}/save",
    onBehalfOf: "required",
    answer: messageAnswer,
  },
  /** Marks elements of an interactive message as used by the acting user. Harmless if repeated. */
  markInteracted: {
    id: "mark-message-as-interacted",
    request: "PATCH /messages/{id}/interacted",
    onBehalfOf: "required",
    input: () => strictObject({ interactions: list }),
    answer: acknowledgement,
  },
} as const satisfies Family;

/** A user's reaction to a message; `reactedAt` in unix seconds. */
const reactionAnswer = () =>
  looseObject({
    id: anyId,
    messageId: maybe(anyId),
    reaction: maybeText,
    uid: maybeText,
    reactedAt: maybeNumber,
    reactedBy: maybe(userAnswer),
  });

/**
 * Reactions to messages; `reaction` is the emoji or text itself, which the client encodes.
 * @see docs/internals/platform/messages.md#reactions
 * @example
 * await chat.reactions.add(messageId, "👍", { onBehalfOf: "bob" });
 * for await (const { uid, reaction } of chat.reactions.list(messageId)) console.log(`${uid}: ${reaction}`);
 */
export const reactions = {
  /** Lists all reactions to a message. Errors: ERR_MESSAGE_ID_NOT_FOUND. */
  list: {
    id: "list-all-reactions",
    request: "GET /messages/{id}/reactions",
    onBehalfOf: "optional",
    paged: "cursor",
    answer: reactionAnswer,
  },
  /** Lists the users who reacted with one emoji. Errors: ERR_MESSAGE_ID_NOT_FOUND. */
  listOf: {
    id: "get-message-reactions",
    request: "GET /messages/{id}/reactions/{reaction}",
    onBehalfOf: "optional",
    paged: "cursor",
    answer: reactionAnswer,
  },
  /** Reacts to a message; answers the message. Errors: ERR_MESSAGE_ID_NOT_FOUND. Harmless if repeated. */
  add: {
    id: "add-message-reactions",
    request: "POST /messages/{id}/reactions/{reaction}",
    onBehalfOf: "required",
    answer: messageAnswer,
  },
  /** Removes a reaction; answers the message. Errors: ERR_MESSAGE_ID_NOT_FOUND. */
  remove: {
    id: "remove-message-reactions",
    request: "DELETE /messages/{id}/reactions/{reaction}",
    onBehalfOf: "required",
    answer: messageAnswer,
  },
} as const satisfies Family;

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
      strictObject(
        optional({
          limit: int(1, 1_000),
          affix,
          updatedAt: unixSeconds,
          participatedByMe: yesNo,
          withUnreadReplyCount: yesNo,
          withMentionCount: yesNo,
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
