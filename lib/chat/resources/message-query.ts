import * as z from "zod/mini";
import { affix, ids, int, list, opt, opts, range, unixSeconds, word, yesNo } from "../fields.ts";

/**
 * The next page is requested only by id: `sentAt` means "after this second" and would skip messages of the
 * same second (docs/internals/platform/answers-and-errors.md#lists-by-cursor,
 * docs/internals/platform/messages.md#listing-messages).
 */
export const messageCursor = { affix: "affix", id: "id" } as const;

const limit = () => opt(int(1, 1_000));

/** Filters of all message lists. Times are unix seconds. */
const common = () => ({
  ...opts("searchKey category type", word),
  ...opts("hasAttachments hasMentions hasLinks hasReactions mentionsWithBlockedInfo", yesNo),
  ...opts("mentionsWithTagInfo hideReplies hideQuotedMessages count withTags", yesNo),
  attachmentTypes: opt(z.enum(["image", "video", "audio", "file"])),
  /** uids; the catalogue's "boolean" is wrong (docs/internals/platform/ids-and-limits.md#what-examples-get-wrong). */
  mentionedUids: opt(ids()),
  affix: opt(affix()),
  /** Message id of the cursor. */
  id: opt(word()),
  ...opts("categories types tags", list),
  /** A uid. */
  sender: opt(word()),
  /** Together with `count`. */
  unread: opt(yesNo()),
  limit: limit(),
  fromTimestamp: opt(unixSeconds()),
  /** Has no effect without `fromTimestamp`. */
  toTimestamp: opt(unixSeconds()),
});

/** Query of all messages. */
export const messageQuery = () =>
  z.strictObject({
    ...common(),
    ...opts("hideMessagesFromBlockedUsers hideDeleted onlyDeleted", yesNo),
    receiverType: opt(z.enum(["user", "group"])),
    senders: opt(ids()),
    conversationId: opt(word()),
    /** A number: cursor, messages after this second. A range: filter. */
    sentAt: opt(z.union([unixSeconds(), range()])),
    ...opts("updatedAt editedAt", range),
  });

/** Query of one-to-one messages. */
export const userMessageQuery = () =>
  z.strictObject({
    ...common(),
    ...opts("undelivered myMentionsOnly", yesNo),
    perPage: limit(),
  });

/** Query of group messages. */
export const groupMessageQuery = () =>
  z.strictObject({
    ...common(),
    ...opts("undelivered myMentionsOnly hideMessagesFromBlockedUsers", yesNo),
  });
