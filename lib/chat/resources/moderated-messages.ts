import * as z from "zod/mini";
import { acknowledgement } from "../answers.ts";
import { json, link, opt, optional, platformId, tags, unixSeconds, word, words } from "../fields.ts";
import type { Family } from "../operation.ts";
import { messageAnswer } from "./message-answer.ts";
import { messageData } from "./message-input.ts";
import { messageCursor } from "./message-query.ts";

const userDetails = () =>
  z.strictObject({
    uid: platformId(),
    name: words(100),
    ...optional({
      avatar: link(),
      link: link(),
      role: platformId(),
      createdAt: unixSeconds(),
      metadata: json(),
      tags: tags(),
    }),
  });

/**
 * Messages of another system to be moderated; their status starts as pending.
 * @see docs/internals/platform/moderation.md#messages-of-other-systems
 * @example
 * const { id, data } = await chat.moderatedMessages.send({
 *   sender: "alice",
 *   receiver: "bob",
 *   receiverType: "user",
 *   type: "text",
 *   data: { text: "Is this all right?" },
 * });
 * console.log(id, data?.moderation);
 */
export const moderatedMessages = {
  /**
   * Sends a message through moderation; sender, receiver and group are created first if their details are
   * given. `sentAt` in unix seconds, default now.
   */
  send: {
    id: "chat-api-send-message-moderation",
    request: "POST /moderation/messages",
    input: () =>
      z.strictObject({
        muid: opt(words(100)),
        category: opt(z.enum(["message", "custom"])),
        type: opt(words(100)),
        sender: platformId(),
        receiver: platformId(),
        receiverType: z.enum(["user", "group"]),
        data: opt(messageData()),
        senderUserDetails: opt(userDetails()),
        receiverUserDetails: opt(userDetails()),
        receiverGroupDetails: opt(json()),
        tags: opt(tags()),
        sentAt: opt(unixSeconds()),
      }),
    answer: messageAnswer,
  },
  /** Lists messages sent through moderation, with `data.moderation.status`. */
  list: {
    id: "chat-api-list-message-moderation",
    request: "GET /moderation/messages",
    input: () =>
      z.strictObject(
        optional({
          sender: platformId(),
          receiverUID: platformId(),
          receiverGUID: platformId(),
          category: z.enum(["message", "custom"]),
          type: word(),
          moderationStatus: z.enum(["disapproved", "pending"]),
        }),
      ),
    paged: "cursor",
    cursor: messageCursor,
    answer: messageAnswer,
  },
  /** Reads one. Errors: ERR_MESSAGE_ID_NOT_FOUND. */
  get: {
    id: "chat-api-get-message-moderation",
    request: "GET /moderation/messages/{id}",
    answer: messageAnswer,
  },
  /** Edits one; it is moderated again. The answer is the message itself. */
  update: {
    id: "chat-api-update-message-moderation",
    request: "PUT /moderation/messages/{id}",
    input: () => z.strictObject({ data: messageData() }),
    answer: messageAnswer,
  },
  /** Deletes one. Errors: ERR_MESSAGE_ID_NOT_FOUND (after an unclear try: done). */
  delete: {
    id: "chat-api-delete-message-moderation",
    request: "DELETE /moderation/messages/{id}",
    answer: acknowledgement,
  },
} as const satisfies Family;
