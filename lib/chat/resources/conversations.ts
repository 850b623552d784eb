import * as z from "zod/mini";
import { acknowledgement, maybe, maybeNumber, maybeObject, maybeText, maybeTexts, one } from "../answers.ts";
import type { Family } from "../operation.ts";
import {
  int,
  list,
  looseObject,
  opt,
  optional,
  pageFields,
  platformId,
  type Schema,
  strictObject,
  tags,
  word,
  yesNo,
} from "../schema.ts";
import { messageAnswer } from "./message-answer.ts";

// Even in a one-element list (docs/internals/platform/conversations.md#shape-of-a-conversation,
// docs/internals/platform/ids-and-limits.md#what-examples-get-wrong).
/** A conversation as one user sees it. Times are unix seconds. */
const conversationAnswer = () =>
  one(
    looseObject({
      /** `<uid>_user_<uid>`, uids sorted, or `group_<guid>`. */
      conversationId: word,
      /** `user` or `group`. */
      conversationType: maybeText,
      unreadMessageCount: maybeNumber,
      createdAt: maybeNumber,
      updatedAt: maybeNumber,
      /** Absent if deleted, or in a group without messages. */
      lastMessage: maybe(messageAnswer),
      /** The other user, or the group. */
      conversationWith: maybeObject,
      tags: maybeTexts,
      pinnedBy: maybeText,
      pinnedAt: maybeNumber,
    }),
  );

const tagsInput = () => strictObject({ tags });

/** Absent: all (inferred). Message ids are integers here, strings elsewhere. */
const messageMark = () => strictObject({ messageId: opt(int(1)) });

/** `preserveOrder` keeps the conversation's place in the list. */
const resetInput = () => strictObject({ preserveOrder: opt(yesNo) });

const pinnedConversationAnswer = () =>
  looseObject({
    conversationId: maybeText,
    conversationType: maybeText,
    pinnedBy: maybeText,
    pinnedAt: maybeNumber,
  });

const pinnedEntry = () =>
  strictObject({ uid: opt(platformId), guid: opt(platformId) }).check(
    z.refine((entry) => (entry.uid === undefined) !== (entry.guid === undefined), "either a uid or a guid"),
  );

const conversationsAnswer = () => z.array(conversationAnswer());

/**
 * Conversations of the app. See docs/internals/platform/conversations.md#listing-conversations.
 * @example
 * for await (const { conversationId, unreadMessageCount } of chat.conversations.list(
 *   {},
 *   { onBehalfOf: "alice" },
 * )) {
 *   console.log(conversationId, unreadMessageCount);
 * }
 */
export const conversations = {
  /** Lists conversations, of the acting user or of all; newest first (inferred). `perPage` default 100. */
  list: {
    id: "list-all-conversations",
    request: "GET /conversations",
    onBehalfOf: "optional",
    input: () =>
      strictObject({
        ...pageFields(),
        ...optional({
          /** The name of the user or the group. */
          searchKey: word,
          conversationType: z.enum(["user", "group"]),
          withTags: yesNo,
          tags: list,
          withUserAndGroupTags: yesNo,
          userTags: list,
          groupTags: list,
          /** Only conversations with unread messages. */
          unread: yesNo,
        }),
      }),
    csv: ["tags", "userTags", "groupTags"],
    paged: "page",
    answer: conversationAnswer,
  },
  /** Lists the conversations pinned for everyone, in display order. */
  listPinned: {
    id: "list-global-pinned-conversations",
    request: "GET /conversations/pinned",
    paged: "once",
    answer: conversationAnswer,
  },
  /**
   * Replaces the conversations pinned for everyone: at most 5, in display order; an empty list clears them.
   * Errors: ERR_SYSTEM_PINNED_CONVERSATIONS_LIMIT_EXCEEDED.
   */
  replacePinned: {
    id: "replace-global-pinned-conversations",
    request: "PUT /conversations/pinned",
    input: () => strictObject({ pinnedConversations: z.array(pinnedEntry()).check(z.maxLength(5)) }),
    answer: conversationsAnswer,
  },
} as const satisfies Family;

/** The platform's ids name the conversation of a user in two ways. */
function conversationOperations<
  const Kind extends string,
  const Marked extends string,
  const Path extends string,
  Reset extends () => Schema,
>(kind: Kind, marked: Marked, path: Path, reset: Reset) {
  return {
    /** Reads the conversation. Errors: ERR_CONVERSATION_NOT_ACCESSIBLE, also before its first message. */
    get: {
      id: `get-${kind}-conversations`,
      request: `GET /${path}/conversation`,
      onBehalfOf: "required",
      answer: conversationAnswer,
    },
    /** Sets the acting user's tags on the conversation. */
    update: {
      id: `update-${kind}-conversation`,
      request: `PUT /${path}/conversation`,
      onBehalfOf: "required",
      input: tagsInput,
      answer: conversationAnswer,
    },
    /** Deletes the conversation for the acting user. */
    reset: {
      id: `reset-${kind}-conversation`,
      request: `DELETE /${path}/conversation`,
      onBehalfOf: "required",
      input: reset,
      answer: acknowledgement,
    },
    /**
     * Pins the conversation for the acting user, at most 5. Errors: ERR_PINNED_CONVERSATIONS_LIMIT_EXCEEDED,
     * ERR_SYSTEM_PINNED_CONVERSATION. Pinning again keeps the first time.
     */
    pin: {
      id: `pin-${kind}-conversation`,
      request: `POST /${path}/conversation/pin`,
      onBehalfOf: "required",
      answer: pinnedConversationAnswer,
    },
    /** Unpins the conversation for the acting user. Errors: ERR_SYSTEM_PINNED_CONVERSATION. */
    unpin: {
      id: `unpin-${kind}-conversation`,
      request: `DELETE /${path}/conversation/pin`,
      onBehalfOf: "required",
      answer: pinnedConversationAnswer,
    },
    /** Marks messages as delivered to the acting user, up to `messageId`. Harmless if repeated. */
    markDelivered: {
      id: `mark-${marked}-as-delivered`,
      request: `POST /${path}/conversation/delivered`,
      onBehalfOf: "required",
      input: messageMark,
      answer: acknowledgement,
    },
    /** Marks messages as read by the acting user, up to `messageId`. Harmless if repeated. */
    markRead: {
      id: `mark-${marked}-as-read`,
      request: `POST /${path}/conversation/read`,
      onBehalfOf: "required",
      input: messageMark,
      answer: acknowledgement,
    },
    /** Marks the messages after `messageId` as unread by the acting user. */
    markUnread: {
      id: `mark-${marked}-as-unread`,
      request: `DELETE /${path}/conversation/read`,
      onBehalfOf: "required",
      input: messageMark,
      answer: acknowledgement,
    },
  } as const;
}

const userReset = () =>
  strictObject(
    optional({
      conversationWith: platformId,
      deleteMessagesPermanently: yesNo,
      preserveOrder: yesNo,
    }),
  );

/**
 * The acting user's conversation with a user. See
 * docs/internals/platform/conversations.md#reading-and-tagging.
 * @example
 * const withBob = await chat.userConversations.get("bob", { onBehalfOf: "alice" });
 * if (withBob.unreadMessageCount) await chat.userConversations.markRead("bob", {}, { onBehalfOf: "alice" });
 * await chat.userConversations.pin("bob", { onBehalfOf: "alice" });
 */
export const userConversations = /* @__PURE__ */ conversationOperations(
  "user",
  "conversation",
  "users/{uid}",
  userReset,
);

/**
 * The acting user's conversation with a group. See
 * docs/internals/platform/conversations.md#reading-and-tagging.
 * @example
 * const conversation = await chat.groupConversations.get("lobby", { onBehalfOf: "alice" });
 * console.log(conversation.unreadMessageCount);
 * await chat.groupConversations.markRead("lobby", {}, { onBehalfOf: "alice" });
 */
export const groupConversations = /* @__PURE__ */ conversationOperations(
  "group",
  "group-conversation",
  "groups/{guid}",
  resetInput,
);
