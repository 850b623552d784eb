import { defined } from "../json.ts";
import {
  type Condition,
  equals,
  type FilterFields,
  listCondition,
  type Range,
  rangeConditions,
  tagCondition,
} from "./condition.ts";
import { type AppData, integerIn } from "./database.ts";
import { countedCategories } from "./unread-counts.ts";

// Conditions over the columns of `messages`, for `selectMessages` and `countMessages`.

/** Holds for the messages of a conversation. */
export function ofConversation(conversationId: string): Condition {
  return { sql: "conversation_id = ?", values: [conversationId] };
}

/** Holds for the one-to-one messages of a user, sent and received. */
export function oneToOneOf(uid: string): Condition {
  return { sql: "receiver_type = 'user' AND (sender = ? OR receiver = ?)", values: [uid, uid] };
}

/** Holds for what a user or a group was sent. */
export function receivedBy(type: "user" | "group", id: string): Condition {
  return { sql: "receiver_type = ? AND receiver = ?", values: [type, id] };
}

/** Holds for the replies in a message's thread. */
export function repliesTo(parentId: string): Condition {
  return { sql: "parent_id = ?", values: [Number(parentId)] };
}

/** Holds for the messages after an id, or before it. */
export function beyondId(id: number, direction: "after" | "before"): Condition {
  return { sql: direction === "before" ? "id < ?" : "id > ?", values: [id] };
}

/** Holds for messages that mention a user. */
export function mentioning(uid: string): Condition {
  return {
    sql: "EXISTS (SELECT 1 FROM json_each(body, '$.data.mentions') AS mention WHERE mention.key = ?)",
    values: [uid],
  };
}

/** Holds for texts that are not deleted. */
export function isText(): Condition {
  return { sql: "category = 'message' AND type = 'text' AND deleted_at IS NULL", values: [] };
}

/** Holds for messages that were moderated, and with a status only for those that have it. */
export function isModerated(status: string | undefined): Condition[] {
  const isJudged: Condition = { sql: "json_type(body, '$.data.moderation') = 'object'", values: [] };
  if (status === undefined) return [isJudged];
  return [isJudged, { sql: "json_extract(body, '$.data.moderation.status') = ?", values: [status] }];
}

// Conditions over the columns of `messages` that depend on who reads.

/** Holds for messages of conversations that a user takes part in. */
export function visibleTo(appId: string, uid: string): Condition {
  return {
    sql: `conversation_id IN (
      SELECT 'group_' || guid FROM members WHERE members.app_id = ? AND members.uid = ?
      UNION ALL
      SELECT own.conversation_id FROM conversations AS own WHERE own.app_id = ? AND own.uid = ? AND own.type = 'user')`,
    values: [appId, uid, appId, uid],
  };
}

/**
 * Holds for the same messages, for a page in the order of their ids. Few are found by conversation and sorted; of many,
 * a walk in order soon has a page full (the `+` keeps the planner from the index).
 */
export function pageVisibleTo({ db, appId }: AppData, uid: string): Condition {
  const visible = visibleTo(appId, uid);
  const counted = db.get(
    `SELECT count(*) AS n FROM (SELECT 1 FROM messages WHERE app_id = ? AND ${visible.sql} LIMIT ?)`,
    appId,
    ...visible.values,
    fewMessages,
  );
  const areFew = counted !== undefined && integerIn(counted, "n") < fewMessages;
  return areFew ? visible : { ...visible, sql: `+${visible.sql}` };
}

/** Holds for what the reader has not deleted with its conversation; nothing for one who never deleted one. */
export function notCleared({ db, appId }: AppData, uid: string): Condition[] {
  const cleared = db.get(
    "SELECT 1 AS hit FROM conversations WHERE app_id = ? AND uid = ? AND cleared_id > 0 LIMIT 1",
    appId,
    uid,
  );
  return cleared === undefined ? [] : [{ sql: `id > ${markOf("cleared_id")}`, values: [uid] }];
}

/** Holds for messages that count as unread for a user. */
export function unreadBy(uid: string): Condition[] {
  return [{ sql: `id > ${markOf("read_id")}`, values: [uid] }, ...countedFor(uid)];
}

/** Holds for messages of a user's unread conversations that lie after the user's mark. */
export function afterMark(appId: string, uid: string, mark: "read" | "delivered"): Condition[] {
  return [
    {
      sql: `id IN (SELECT later.id FROM conversations AS own CROSS JOIN messages AS later
          ON later.app_id = own.app_id AND later.conversation_id = own.conversation_id AND later.id > own.${mark}_id
        WHERE own.app_id = ? AND own.uid = ? AND own.unread > 0)`,
      values: [appId, uid],
    },
    ...countedFor(uid),
  ];
}

/** Holds for messages whose sender the user does not block. */
export function notFromBlocked(appId: string, uid: string): Condition {
  return {
    sql: "sender NOT IN (SELECT blocked FROM blocks WHERE blocks.app_id = ? AND blocks.uid = ?)",
    values: [appId, uid],
  };
}

function countedFor(uid: string): Condition[] {
  return [
    { sql: "sender <> ? AND deleted_at IS NULL", values: [uid] },
    { sql: `category IN (${countedCategories.map(() => "?").join(", ")})`, values: [...countedCategories] },
  ];
}

const fewMessages = 2_000;

function markOf(mark: "read_id" | "cleared_id"): string {
  return `coalesce((SELECT own.${mark} FROM conversations AS own WHERE own.app_id = messages.app_id AND own.uid = ?
    AND own.conversation_id = messages.conversation_id), 0)`;
}

/** Says which messages a list is to hold; what is absent or false filters nothing. Times are unix seconds. */
export type MessageFilter = FilterFields<{
  category: string;
  categories: readonly string[];
  type: string;
  types: readonly string[];
  sender: string;
  senders: readonly string[];
  receiverType: string;
  conversationId: string;
  tags: readonly string[];
  sentAt: Range;
  editedAt: Range;
  /** A second range of `sentAt`, by another name on the wire. */
  timestamps: Range;
  /** Leaves out messages that were never updated. */
  updatedAt: Range;
  sentAfter: number;
  sentBefore: number;
  hideDeleted: boolean;
  onlyDeleted: boolean;
  hideReplies: boolean;
  allowedCategories: readonly string[];
  allowedTypes: readonly string[];
  /** Leaves out what moderation blocked, unless this user sent it. */
  unblockedFor: string;
}> & { content: ContentFilter };

/** Says what the messages of a list are to hold; what is absent or false filters nothing. */
export type ContentFilter = FilterFields<{
  text: string;
  hasAttachments: boolean;
  attachmentTypes: readonly string[];
  hasMentions: boolean;
  mentionedUids: readonly string[];
  hasLinks: boolean;
  hasReactions: boolean;
}>;

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
  return defined({ gt, lt });
}
