import * as z from "zod/mini";
import { affix, ids, int, list, optional, range, unixSeconds, word, yesNo } from "../fields.ts";

/**
 * Only the id: `sentAt` means "after this second" and would skip that second's messages
 * (docs/internals/platform/answers-and-errors.md#lists-by-cursor,
 * docs/internals/platform/messages.md#listing-messages).
 */
export const messageCursor = { affix: "affix", id: "id" } as const;

const limit = () => int(1, 1_000);

/** Times are unix seconds. */
const common = () =>
  optional({
    searchKey: word(),
    hasAttachments: yesNo(),
    attachmentTypes: z.enum(["image", "video", "audio", "file"]),
    hasMentions: yesNo(),
    hasLinks: yesNo(),
    /**
     * uids; the catalogue's "boolean" is wrong
     * (docs/internals/platform/ids-and-limits.md#what-examples-get-wrong).
     */
    mentionedUids: ids(),
    hasReactions: yesNo(),
    affix: affix(),
    /** Message id of the cursor. */
    id: word(),
    category: word(),
    categories: list(),
    type: word(),
    types: list(),
    /** A uid. */
    sender: word(),
    mentionsWithBlockedInfo: yesNo(),
    mentionsWithTagInfo: yesNo(),
    hideReplies: yesNo(),
    hideQuotedMessages: yesNo(),
    count: yesNo(),
    /** Together with `count`. */
    unread: yesNo(),
    limit: limit(),
    withTags: yesNo(),
    tags: list(),
    fromTimestamp: unixSeconds(),
    /** Has no effect without `fromTimestamp`. */
    toTimestamp: unixSeconds(),
  });

export const messageQuery = () =>
  z.strictObject({
    ...common(),
    ...optional({
      hideMessagesFromBlockedUsers: yesNo(),
      receiverType: z.enum(["user", "group"]),
      senders: ids(),
      hideDeleted: yesNo(),
      onlyDeleted: yesNo(),
      conversationId: word(),
      /** A number: cursor, messages after this second. A range: filter. */
      sentAt: z.union([unixSeconds(), range()]),
      updatedAt: range(),
      editedAt: range(),
    }),
  });

export const userMessageQuery = () =>
  z.strictObject({
    ...common(),
    ...optional({ undelivered: yesNo(), myMentionsOnly: yesNo(), perPage: limit() }),
  });

export const groupMessageQuery = () =>
  z.strictObject({
    ...common(),
    ...optional({ undelivered: yesNo(), myMentionsOnly: yesNo(), hideMessagesFromBlockedUsers: yesNo() }),
  });
