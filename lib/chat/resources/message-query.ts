import * as z from "zod/mini";
import { affix, ids, int, list, opt, range, unixSeconds, word, yesNo } from "../fields.ts";

/**
 * Only the id: `sentAt` means "after this second" and would skip messages of that second
 * (docs/internals/platform/answers-and-errors.md#lists-by-cursor,
 * docs/internals/platform/messages.md#listing-messages).
 */
export const messageCursor = { affix: "affix", id: "id" } as const;

const limit = () => opt(int(1, 1_000));

/** Times are unix seconds. */
const common = () => ({
  searchKey: opt(word()),
  hasAttachments: opt(yesNo()),
  attachmentTypes: opt(z.enum(["image", "video", "audio", "file"])),
  hasMentions: opt(yesNo()),
  hasLinks: opt(yesNo()),
  /**
   * uids; the catalogue's "boolean" is wrong
   * (docs/internals/platform/ids-and-limits.md#what-examples-get-wrong).
   */
  mentionedUids: opt(ids()),
  hasReactions: opt(yesNo()),
  affix: opt(affix()),
  /** Message id of the cursor. */
  id: opt(word()),
  category: opt(word()),
  categories: opt(list()),
  type: opt(word()),
  types: opt(list()),
  /** A uid. */
  sender: opt(word()),
  mentionsWithBlockedInfo: opt(yesNo()),
  mentionsWithTagInfo: opt(yesNo()),
  hideReplies: opt(yesNo()),
  hideQuotedMessages: opt(yesNo()),
  count: opt(yesNo()),
  /** Together with `count`. */
  unread: opt(yesNo()),
  limit: limit(),
  withTags: opt(yesNo()),
  tags: opt(list()),
  fromTimestamp: opt(unixSeconds()),
  /** Has no effect without `fromTimestamp`. */
  toTimestamp: opt(unixSeconds()),
});

export const messageQuery = () =>
  z.strictObject({
    ...common(),
    hideMessagesFromBlockedUsers: opt(yesNo()),
    receiverType: opt(z.enum(["user", "group"])),
    senders: opt(ids()),
    hideDeleted: opt(yesNo()),
    onlyDeleted: opt(yesNo()),
    conversationId: opt(word()),
    /** A number: cursor, messages after this second. A range: filter. */
    sentAt: opt(z.union([unixSeconds(), range()])),
    updatedAt: opt(range()),
    editedAt: opt(range()),
  });

export const userMessageQuery = () =>
  z.strictObject({
    ...common(),
    undelivered: opt(yesNo()),
    myMentionsOnly: opt(yesNo()),
    perPage: limit(),
  });

export const groupMessageQuery = () =>
  z.strictObject({
    ...common(),
    undelivered: opt(yesNo()),
    myMentionsOnly: opt(yesNo()),
    hideMessagesFromBlockedUsers: opt(yesNo()),
  });
