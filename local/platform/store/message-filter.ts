import {
  type Condition,
  equals,
  listCondition,
  type Range,
  rangeConditions,
  tagCondition,
} from "./condition.ts";

/** Says which messages a list is to hold; what is absent or false filters nothing. Times are unix seconds. */
export type MessageFilter = {
  category?: string | undefined;
  categories?: readonly string[] | undefined;
  type?: string | undefined;
  types?: readonly string[] | undefined;
  sender?: string | undefined;
  senders?: readonly string[] | undefined;
  receiverType?: string | undefined;
  conversationId?: string | undefined;
  tags?: readonly string[] | undefined;
  sentAt?: Range | undefined;
  editedAt?: Range | undefined;
  /** A second range of `sentAt`, by another name on the wire. */
  timestamps?: Range | undefined;
  /** Leaves out messages that were never updated. */
  updatedAt?: Range | undefined;
  sentAfter?: number | undefined;
  sentBefore?: number | undefined;
  hideDeleted?: boolean | undefined;
  onlyDeleted?: boolean | undefined;
  hideReplies?: boolean | undefined;
  allowedCategories?: readonly string[] | undefined;
  allowedTypes?: readonly string[] | undefined;
  /** Leaves out what moderation blocked, unless this user sent it. */
  unblockedFor?: string | undefined;
  content: ContentFilter;
};

/** Says what the messages of a list are to hold; what is absent or false filters nothing. */
export type ContentFilter = {
  text?: string | undefined;
  hasAttachments?: boolean | undefined;
  attachmentTypes?: readonly string[] | undefined;
  hasMentions?: boolean | undefined;
  mentionedUids?: readonly string[] | undefined;
  hasLinks?: boolean | undefined;
  hasReactions?: boolean | undefined;
};

/** Makes the conditions of a filter. */
export function messageConditions(filter: MessageFilter): Condition[] {
  const updated = rangeConditions("updated_at", filter.updatedAt);
  return [
    ...equals("category", filter.category),
    ...listCondition("category", filter.categories),
    ...equals("type", filter.type),
    ...listCondition("type", filter.types),
    ...equals("sender", filter.sender),
    ...listCondition("sender", filter.senders),
    ...equals("receiver_type", filter.receiverType),
    ...equals("conversation_id", filter.conversationId),
    ...tagCondition(filter.tags),
    ...rangeConditions("sent_at", filter.sentAt),
    ...rangeConditions("edited_at", filter.editedAt),
    ...rangeConditions("sent_at", filter.timestamps),
    ...updated,
    ...when(updated.length > 0, "updated_at > sent_at"),
    ...rangeConditions("sent_at", present({ gt: filter.sentAfter, lt: filter.sentBefore })),
    ...when(filter.hideDeleted, "deleted_at IS NULL"),
    ...when(filter.onlyDeleted, "deleted_at IS NOT NULL"),
    ...when(filter.hideReplies, "parent_id IS NULL"),
    ...listCondition("category", filter.allowedCategories),
    ...listCondition("type", filter.allowedTypes),
    ...unblocked(filter.unblockedFor),
    ...contentConditions(filter.content),
  ];
}

function unblocked(uid: string | undefined): Condition[] {
  if (uid === undefined) return [];
  return [
    {
      // Most bodies do not hold the word at all, which is found out faster than by parsing them.
      sql: `(sender = ? OR instr(body, 'disapproved') = 0
        OR coalesce(json_extract(body, '$.data.moderation.status'), '') <> 'disapproved')`,
      values: [uid],
    },
  ];
}

function contentConditions(content: ContentFilter): Condition[] {
  const { text, mentionedUids } = content;
  return [
    ...(text === undefined
      ? []
      : [
          {
            sql: "instr(lower(coalesce(json_extract(body, '$.data.text'), '')), lower(?)) > 0",
            values: [text],
          },
        ]),
    ...when(content.hasAttachments, "json_type(body, '$.data.attachments') = 'array'"),
    ...listCondition("type", content.attachmentTypes),
    ...when(content.hasMentions, "json_type(body, '$.data.mentions') = 'object'"),
    ...(mentionedUids === undefined
      ? []
      : [
          {
            sql: `EXISTS (SELECT 1 FROM json_each(body, '$.data.mentions') AS mention
        WHERE mention.key IN (SELECT value FROM json_each(?)))`,
            values: [JSON.stringify(mentionedUids)],
          },
        ]),
    ...when(content.hasLinks, "json_extract(body, '$.data.text') GLOB '*http*://*'"),
    ...when(content.hasReactions, "json_type(body, '$.data.reactions') = 'array'"),
  ];
}

function when(isAsked: boolean | undefined, sql: string): Condition[] {
  return isAsked === true ? [{ sql, values: [] }] : [];
}

function present({ gt, lt }: { gt: number | undefined; lt: number | undefined }): Range {
  return { ...(gt === undefined ? {} : { gt }), ...(lt === undefined ? {} : { lt }) };
}
