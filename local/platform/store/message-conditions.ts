import { countedCategories } from "./conversations.ts";
import type { AppData } from "./database.ts";
import { readableBy } from "./message-access.ts";
import {
  type Condition,
  condition,
  forValue,
  listCondition,
  type Query,
  rangeConditions,
  tagCondition,
  textConditions,
  when,
} from "./query.ts";

export function ofConversation(conversationId: string): Condition {
  return condition("conversation_id = ?", conversationId);
}

export function oneToOneOf(uid: string): Condition {
  return condition("receiver_type = 'user' AND (sender = ? OR receiver = ?)", uid, uid);
}

export function receivedBy(type: "user" | "group", id: string): Condition {
  return condition("receiver_type = ? AND receiver = ?", type, id);
}

export function repliesTo(parentId: string): Condition {
  return condition("parent_id = ?", Number(parentId));
}

/** Includes the first message; without an id, finds unthreaded messages. */
export function ofThread(parentId: string | undefined): Condition {
  if (parentId === undefined) return condition("parent_id IS NULL");
  return condition("(parent_id = ? OR id = ?)", Number(parentId), Number(parentId));
}

/** Ignores a text that is no message id. */
export function beyondId(affix: string, id: string | undefined): Condition[] {
  if (id === undefined || !/^\d{1,15}$/.test(id)) return [];
  return forValue(Number(id), affix === "prepend" ? "id < ?" : "id > ?");
}

export function mentioning(uid: string): Condition {
  return condition(
    "EXISTS (SELECT 1 FROM json_each(body, '$.data.mentions') AS mention WHERE mention.key = ?)",
    uid,
  );
}

export function isText(): Condition {
  return condition("category = 'message' AND type = 'text' AND deleted_at IS NULL");
}

export function isModerated(status: string | undefined): Condition[] {
  return [
    ...when(true, "json_type(body, '$.data.moderation') = 'object'"),
    ...forValue(status, "json_extract(body, '$.data.moderation.status') = ?"),
  ];
}

export function visibleTo(appId: string, uid: string): Condition {
  return condition(
    `conversation_id IN (
      SELECT 'group_' || guid FROM members WHERE members.app_id = ? AND members.uid = ?
      UNION ALL
      SELECT own.conversation_id FROM conversations AS own WHERE own.app_id = ? AND own.uid = ? AND own.type = 'user')`,
    appId,
    uid,
    appId,
    uid,
  );
}

/**
 * Few messages are found by conversation and sorted; many by a walk in order (`+` keeps the planner from
 * the index).
 */
export function pageVisibleTo({ db, appId }: AppData, uid: string): Condition {
  const visible = visibleTo(appId, uid);
  const counted = db.count(
    `SELECT count(*) AS n FROM (SELECT 1 FROM messages WHERE app_id = ? AND ${visible.sql} LIMIT ?)`,
    appId,
    ...visible.values,
    fewMessages,
  );
  return counted < fewMessages ? visible : { ...visible, sql: `+${visible.sql}` };
}

function notCleared({ db, appId }: AppData, uid: string) {
  const hasCleared = db.has(
    "SELECT 1 AS hit FROM conversations WHERE app_id = ? AND uid = ? AND cleared_id > 0 LIMIT 1",
    appId,
    uid,
  );
  return hasCleared ? [condition(`id > ${markOf("cleared_id")}`, uid)] : [];
}

export function unreadBy(uid: string): Condition[] {
  return [condition(`id > ${markOf("read_id")}`, uid), ...countedFor(uid)];
}

function afterMark(appId: string, uid: string, mark: "read" | "delivered") {
  return [
    condition(
      `id IN (SELECT later.id FROM conversations AS own CROSS JOIN messages AS later
          ON later.app_id = own.app_id AND later.conversation_id = own.conversation_id AND later.id > own.${mark}_id
        WHERE own.app_id = ? AND own.uid = ? AND own.unread > 0)`,
      appId,
      uid,
    ),
    ...countedFor(uid),
  ];
}

function countedFor(uid: string) {
  return [
    condition("sender <> ? AND deleted_at IS NULL", uid),
    condition(`category IN (${countedCategories.map(() => "?").join(", ")})`, ...countedCategories),
  ];
}

const fewMessages = 2_000;

function markOf(mark: "read_id" | "cleared_id") {
  return `coalesce((SELECT own.${mark} FROM conversations AS own WHERE own.app_id = messages.app_id AND own.uid = ?
    AND own.conversation_id = messages.conversation_id), 0)`;
}

/** @see docs/internals/platform/messages.md#listing-messages */
export function messageConditions(query: Query): Condition[] {
  const updated = rangeConditions(query, "updatedAt");
  const mentioned = query.list("mentionedUids");
  const fromTimestamp = query.integer("fromTimestamp");
  const toTimestamp = query.integer("toTimestamp");
  const sentBeyond = query.text("id") === undefined ? query.integer("sentAt") : undefined;
  return [
    ...textConditions(query, "category", "type", "sender", "receiverType", "conversationId"),
    ...listCondition("category", query.list("categories")),
    ...listCondition("type", query.list("types")),
    ...listCondition("sender", query.list("senders")),
    ...tagCondition(query.list("tags")),
    ...rangeConditions(query, "sentAt", "editedAt"),
    ...forValue(fromTimestamp, "sent_at >= ?"),
    // `toTimestamp` counts only together with `fromTimestamp`.
    ...(fromTimestamp === undefined ? [] : forValue(toTimestamp, "sent_at <= ?")),
    ...updated,
    // Omits never-updated ones (docs/internals/platform/answers-and-errors.md#array-and-range-parameters).
    ...when(updated.length > 0, "updated_at > sent_at"),
    ...forValue(sentBeyond, query.text("affix") === "prepend" ? "sent_at < ?" : "sent_at > ?"),
    ...Object.entries(flags).flatMap(([flag, sql]) => when(query.flag(flag), sql)),
    ...forValue(
      query.text("searchKey") || undefined,
      "instr(lower(coalesce(json_extract(body, '$.data.text'), '')), lower(?)) > 0",
    ),
    ...listCondition("type", query.list("attachmentTypes")),
    ...forValue(
      mentioned && JSON.stringify(mentioned),
      `EXISTS (SELECT 1 FROM json_each(body, '$.data.mentions') AS mention
        WHERE mention.key IN (SELECT value FROM json_each(?)))`,
    ),
  ];
}

const flags = {
  hideDeleted: "deleted_at IS NULL",
  onlyDeleted: "deleted_at IS NOT NULL",
  hideReplies: "parent_id IS NULL",
  hasAttachments: "json_type(body, '$.data.attachments') = 'array'",
  hasMentions: "json_type(body, '$.data.mentions') = 'object'",
  hasLinks: "json_extract(body, '$.data.text') GLOB '*http*://*'",
  hasReactions: "json_type(body, '$.data.reactions') = 'array'",
};

/** Has no effect without onBehalfOf (assumed). */
export function readerConditions(data: AppData, query: Query, uid: string): Condition[] {
  return [
    ...(query.flag("unread") ? afterMark(data.appId, uid, "read") : []),
    ...(query.flag("undelivered") ? afterMark(data.appId, uid, "delivered") : []),
    ...(query.flag("myMentionsOnly") ? [mentioning(uid)] : []),
    ...(query.flag("hideMessagesFromBlockedUsers") ? [condition(notFromBlocked, data.appId, uid)] : []),
    ...notCleared(data, uid),
    readableBy(uid),
  ];
}

const notFromBlocked =
  "sender NOT IN (SELECT blocked FROM blocks WHERE blocks.app_id = ? AND blocks.uid = ?)";
