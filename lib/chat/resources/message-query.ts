import * as z from "zod/mini";
import { range } from "../fields.ts";

const flag = () => z.optional(z.boolean());
const word = () => z.optional(z.string());
const words = () => z.optional(z.array(z.string()));
const limit = () => z.optional(z.int().check(z.gte(1), z.lte(1_000)));
const seconds = () => z.optional(z.int());
const secondsOrRange = () => z.optional(z.union([z.int(), range()]));

/** Filters all message lists know. Times are unix seconds. */
const common = () => ({
  searchKey: word(),
  hasAttachments: flag(),
  attachmentTypes: z.optional(z.enum(["image", "video", "audio", "file"])),
  hasMentions: flag(),
  hasLinks: flag(),
  /** uids; the catalogue's "boolean" is a mistake of its own (platform facts: chat-api §9). */
  mentionedUids: words(),
  hasReactions: flag(),
  affix: z.optional(z.enum(["append", "prepend"])),
  /** Message id the cursor stands at. */
  id: word(),
  category: word(),
  categories: words(),
  type: word(),
  types: words(),
  sender: word(),
  mentionsWithBlockedInfo: flag(),
  mentionsWithTagInfo: flag(),
  hideReplies: flag(),
  hideQuotedMessages: flag(),
  count: flag(),
  unread: flag(),
  limit: limit(),
  withTags: flag(),
  tags: words(),
  fromTimestamp: seconds(),
  /** Has no effect without `fromTimestamp`. */
  toTimestamp: seconds(),
});

/** Query of all messages. */
export const messageQuery = () =>
  z.strictObject({
    ...common(),
    hideMessagesFromBlockedUsers: flag(),
    receiverType: z.optional(z.enum(["user", "group"])),
    senders: words(),
    hideDeleted: flag(),
    onlyDeleted: flag(),
    conversationId: word(),
    /** A number: cursor, messages after this second. A range: filter. */
    sentAt: secondsOrRange(),
    updatedAt: z.optional(range()),
    editedAt: z.optional(range()),
  });

/** Query of one-to-one messages. */
export const userMessageQuery = () =>
  z.strictObject({ ...common(), undelivered: flag(), myMentionsOnly: flag(), perPage: limit() });

/** Query of group messages. */
export const groupMessageQuery = () =>
  z.strictObject({
    ...common(),
    undelivered: flag(),
    myMentionsOnly: flag(),
    hideMessagesFromBlockedUsers: flag(),
  });
