import * as z from "zod/mini";
import { acknowledgement } from "../answers.ts";
import { list, opt, optional, tags, yesNo } from "../fields.ts";
import type { Family } from "../operation.ts";
import { deletedMessageAnswer, messageAnswer } from "./message-answer.ts";
import { messageData, messageInput } from "./message-input.ts";
import { groupMessageQuery, messageCursor, messageQuery, userMessageQuery } from "./message-query.ts";

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
   * Sends a message to a user, a group or several of them; without `onBehalfOf`, the app is the sender.
   * Payload ≤ 65,536 characters, `data` ≤ 10 KB. Set `muid`: after an unclear failure, the message is looked
   * for by it, at most 20 s or until `deadlineMs`, and sent again only if it is not there. Errors:
   * ERR_UID_NOT_FOUND, ERR_GUID_NOT_FOUND, ERR_BLOCKED_RECEIVER, ERR_PERMISSION_DENIED. Without `muid` or
   * `alreadyDone` not repeated after unclear failures.
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
    input: () => z.strictObject(optional({ data: messageData(), tags: tags() })),
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
    input: () => z.strictObject({ permanent: opt(yesNo()) }),
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
    input: () => z.strictObject({ interactions: list() }),
    answer: acknowledgement,
  },
} as const satisfies Family;
