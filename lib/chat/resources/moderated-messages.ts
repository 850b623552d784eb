import * as z from "zod/mini";
import {
  acknowledgement,
  anyId,
  looseAcknowledgement,
  maybe,
  maybeNumber,
  maybeObject,
  maybeObjects,
  maybeText,
  maybeTexts,
} from "../answers.ts";
import type { Family } from "../operation.ts";
import {
  int,
  json,
  link,
  looseObject,
  opt,
  optional,
  platformId,
  strictObject,
  tags,
  unixSeconds,
  word,
  words,
} from "../schema.ts";
import { messageAnswer } from "./message-answer.ts";
import { messageCursor, messageData } from "./message-input.ts";

// `blockedAt` comes as a text `<s>.<fraction>` (docs/internals/platform/ids-and-limits.md#timestamps).
/** A message that a rule blocked, with the rule. */
const blockedMessageAnswer = () =>
  looseObject({
    ruleId: maybeText,
    ruleName: maybeText,
    revisionId: maybeText,
    /** Its `message` is a list in one example and a text in another. */
    condition: maybeObject,
    message: maybe(messageAnswer),
    action: maybeTexts,
    createdAt: maybeNumber,
    updatedAt: maybeNumber,
    /** Unix seconds with a fraction. */
    blockedAt: maybeNumber,
  });

const userDetails = () =>
  strictObject({
    uid: platformId,
    name: words(100),
    ...optional({
      avatar: link,
      link,
      role: platformId,
      createdAt: unixSeconds,
      metadata: json,
      tags,
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
      strictObject({
        muid: opt(words(100)),
        category: opt(z.enum(["message", "custom"])),
        type: opt(words(100)),
        sender: platformId,
        receiver: platformId,
        receiverType: z.enum(["user", "group"]),
        data: opt(messageData),
        senderUserDetails: opt(userDetails),
        receiverUserDetails: opt(userDetails),
        receiverGroupDetails: opt(json),
        tags: opt(tags),
        sentAt: opt(unixSeconds),
      }),
    answer: messageAnswer,
  },
  /** Lists messages sent through moderation, with `data.moderation.status`. */
  list: {
    id: "chat-api-list-message-moderation",
    request: "GET /moderation/messages",
    input: () =>
      strictObject(
        optional({
          sender: platformId,
          receiverUID: platformId,
          receiverGUID: platformId,
          category: z.enum(["message", "custom"]),
          type: word,
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
    input: () => strictObject({ data: messageData }),
    answer: messageAnswer,
  },
  /** Deletes one. Errors: ERR_MESSAGE_ID_NOT_FOUND (after an unclear try: done). */
  delete: {
    id: "chat-api-delete-message-moderation",
    request: "DELETE /moderation/messages/{id}",
    answer: acknowledgement,
  },
} as const satisfies Family;

const limitQuery = () => strictObject({ limit: opt(int(1, 1_000)) });

/**
 * Messages that users flagged, and their reviews.
 * @see docs/internals/platform/moderation.md#flagged-and-reviewed-messages
 * @example
 * await chat.flaggedMessages.flag(
 *   messageId,
 *   { reasonId: "spam", remark: "Twice today" },
 *   { onBehalfOf: "bob" },
 * );
 * for await (const { id } of chat.flaggedMessages.list()) {
 *   if (id) await chat.flaggedMessages.review(id, { status: "approved" });
 * }
 */
export const flaggedMessages = {
  /**
   * Flags a message as the acting user. Sends both of the catalogue's names of the reason. Errors:
   * ERR_MESSAGE_ID_NOT_FOUND, ERR_REASON_NOT_FOUND. Harmless if repeated (inferred).
   */
  flag: {
    id: "flag-a-message",
    request: "POST /messages/{id}/flagged",
    onBehalfOf: "required",
    input: () =>
      z.pipe(
        strictObject({ reasonId: z.string().check(z.minLength(1)), remark: opt(word) }),
        z.transform((input) => ({ ...input, id: input.reasonId })),
      ),
    answer: looseAcknowledgement,
    documented: "several",
  },
  /** Lists flagged messages with `flaggedBy` and `flaggedCount`; `limit` default 50. One page. */
  list: {
    id: "list-flagged-messages",
    request: "GET /moderation/flagged-messages",
    input: limitQuery,
    paged: "once",
    answer: () =>
      looseObject({
        id: maybe(anyId),
        sender: maybeText,
        flaggedCount: maybeNumber,
        flaggedBy: maybeObjects,
      }),
  },
  /** Reviews a flagged message: `approved` keeps it, `disapproved` blocks it. Harmless if repeated. */
  review: {
    id: "blockreview-flagged-message",
    request: "PATCH /moderation/flagged-messages/{id}",
    input: () => strictObject({ status: z.enum(["approved", "disapproved"]) }),
    answer: looseAcknowledgement,
    documented: "several",
  },
  /** Lists reviewed messages; `limit` default 50. One page. */
  listReviewed: {
    id: "list-reviewed-messages",
    request: "GET /moderation/reviewed-messages",
    input: limitQuery,
    paged: "once",
    answer: blockedMessageAnswer,
  },
} as const satisfies Family;

/**
 * Messages that rules blocked. See docs/internals/platform/moderation.md#blocked-messages.
 * @example
 * for await (const { message, ruleName } of chat.blockedMessages.list()) {
 *   console.log(`${ruleName} has blocked a message of ${message?.sender}.`);
 *   if (message) await chat.blockedMessages.review(message.id, { status: "rejected", reviewed: true });
 * }
 */
export const blockedMessages = {
  /** Lists blocked messages, at most 50 (from the example). One page. */
  list: {
    id: "list-moderation-blocked-messages",
    request: "GET /moderation/blocked-messages",
    paged: "once",
    answer: blockedMessageAnswer,
  },
  /** Reviews a blocked message: `approved` lets it through. Harmless if repeated. */
  review: {
    id: "review-blocked-message",
    request: "PATCH /moderation/blocked-messages/{id}",
    input: () => strictObject({ status: z.enum(["approved", "rejected"]), reviewed: z.boolean() }),
    answer: acknowledgement,
  },
  /** Approves a blocked message without marking it reviewed; same URL as `review`. Harmless if repeated. */
  approve: {
    id: "approve-moderation-blocked-messages",
    request: "PATCH /moderation/blocked-messages/{messageId}",
    input: () => strictObject({ status: z.literal("approved") }),
    answer: acknowledgement,
  },
} as const satisfies Family;
