import type { Family } from "../operation.ts";
import { messageAnswer } from "./message-answer.ts";
import { messageInput } from "./message-input.ts";
import { groupMessageQuery, messageQuery, userMessageQuery } from "./message-query.ts";

/** Messages. Platform facts: chat-api §4 and §8, messages. */
export const messages = {
  /**
   * Sends a message to a user, a group or several of them; without `onBehalfOf` the app itself is the sender.
   * Payload ≤ 65,536 characters, `data` ≤ 10 KB, ≤ 25 tags. Set `muid`: the platform echoes it, so that an unclear send
   * can be looked for. Errors: ERR_UID_NOT_FOUND, ERR_GUID_NOT_FOUND, ERR_BLOCKED_RECEIVER, ERR_PERMISSION_DENIED.
   * Not repeated after an unclear failure unless `alreadyDone` finds out whether it arrived.
   */
  send: {
    id: "send-message",
    request: "POST /messages",
    onBehalfOf: "optional",
    input: messageInput,
    answer: messageAnswer,
  },
  /**
   * Lists messages of the app, or of the acting user; by cursor (`affix` append = after, with `id` or `sentAt`).
   * `limit` 1 to 1000, default 10; times in unix seconds. May be repeated.
   */
  list: {
    id: "list-all-messages",
    request: "GET /messages",
    onBehalfOf: "optional",
    input: messageQuery,
    csv: ["tags", "categories", "senders", "mentionedUids"],
    paged: "cursor",
    answer: messageAnswer,
  },
  /** Lists the messages between a user and the acting user. `limit` and `perPage` 1 to 1000. May be repeated. */
  listForUser: {
    id: "user-list-user-messages",
    request: "GET /users/{uid}/messages",
    onBehalfOf: "optional",
    input: userMessageQuery,
    csv: ["mentionedUids"],
    paged: "cursor",
    answer: messageAnswer,
  },
  /** Lists the messages of a group. `limit` 1 to 1000. Errors: ERR_GUID_NOT_FOUND. May be repeated. */
  listForGroup: {
    id: "user-list-group-messages",
    request: "GET /groups/{guid}/messages",
    onBehalfOf: "optional",
    input: groupMessageQuery,
    csv: ["mentionedUids"],
    paged: "cursor",
    answer: messageAnswer,
  },
} as const satisfies Family;
