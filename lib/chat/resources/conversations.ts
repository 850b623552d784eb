import * as z from "zod/mini";
import { list, opt, optional, pageFields, platformId, word, yesNo } from "../fields.ts";
import type { Family } from "../operation.ts";
import { conversationAnswer } from "./conversation-answer.ts";

const pinnedEntry = () =>
  z
    .strictObject({ uid: opt(platformId()), guid: opt(platformId()) })
    .check(
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
      z.strictObject({
        ...pageFields(),
        ...optional({
          /** The name of the user or the group. */
          searchKey: word(),
          conversationType: z.enum(["user", "group"]),
          withTags: yesNo(),
          tags: list(),
          withUserAndGroupTags: yesNo(),
          userTags: list(),
          groupTags: list(),
          /** Only conversations with unread messages. */
          unread: yesNo(),
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
    input: () => z.strictObject({ pinnedConversations: z.array(pinnedEntry()).check(z.maxLength(5)) }),
    answer: conversationsAnswer,
  },
} as const satisfies Family;
