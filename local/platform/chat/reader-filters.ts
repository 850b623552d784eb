import type { AppCall } from "../http/route.ts";
import { countedCategories } from "../store/conversations.ts";
import type { Condition } from "../store/messages.ts";
import { integer } from "../store/row.ts";

// The filters of message lists that depend on who reads. Without onBehalfOf they have no effect (assumed).

/** Makes the conditions of `unread`, `undelivered`, `myMentionsOnly` and `hideMessagesFromBlockedUsers`. */
export function readerFilters(call: AppCall): Condition[] {
  const { query, actor } = call;
  if (actor === undefined) return [];
  const conditions: Condition[] = [];
  if (query.flag("unread") === true) conditions.push(...afterMark(call, actor.uid, "read_id"));
  if (query.flag("undelivered") === true) conditions.push(...afterMark(call, actor.uid, "delivered_id"));
  if (query.flag("myMentionsOnly") === true) {
    conditions.push(mentions(actor.uid));
  }
  if (query.flag("hideMessagesFromBlockedUsers") === true) {
    conditions.push({
      sql: "sender NOT IN (SELECT blocked FROM blocks WHERE blocks.app_id = ? AND blocks.uid = ?)",
      values: [call.app.appId, actor.uid],
    });
  }
  return conditions;
}

/** Makes the condition that a conversation is one a user takes part in. */
export function visibleTo(call: AppCall, uid: string): Condition {
  return {
    sql: `conversation_id IN (
      SELECT 'group_' || guid FROM members WHERE members.app_id = ? AND members.uid = ?
      UNION ALL
      SELECT own.conversation_id FROM conversations AS own WHERE own.app_id = ? AND own.uid = ? AND own.type = 'user')`,
    values: [call.app.appId, uid, call.app.appId, uid],
  };
}

/**
 * Makes the same condition for a page of messages in the order of their ids. Few are found by conversation and sorted;
 * of many, a walk in order soon has a page full (the `+` keeps the planner from the index).
 */
export function pageVisibleTo(call: AppCall, uid: string): Condition {
  const visible = visibleTo(call, uid);
  const { db, app } = call;
  const counted = db.get(
    `SELECT count(*) AS n FROM (SELECT 1 FROM messages WHERE app_id = ? AND ${visible.sql} LIMIT ?)`,
    app.appId,
    ...visible.values,
    fewMessages,
  );
  const areFew = counted !== undefined && integer(counted, "n") < fewMessages;
  return areFew ? visible : { ...visible, sql: `+${visible.sql}` };
}

/** Makes the condition that the reader has not deleted the conversation since; nothing for one who never did. */
export function notCleared(call: AppCall, uid: string): Condition[] {
  const cleared = call.db.get(
    "SELECT 1 AS hit FROM conversations WHERE app_id = ? AND uid = ? AND cleared_id > 0 LIMIT 1",
    call.app.appId,
    uid,
  );
  return cleared === undefined ? [] : [{ sql: `id > ${markOf("cleared_id")}`, values: [uid] }];
}

/** Makes the conditions that a message counts as unread for a user. */
export function unreadBy(uid: string): Condition[] {
  return [
    { sql: `id > ${markOf("read_id")}`, values: [uid] },
    { sql: "sender <> ? AND deleted_at IS NULL", values: [uid] },
    { sql: `category IN (${countedCategories.map(() => "?").join(", ")})`, values: [...countedCategories] },
  ];
}

/** Makes the condition that a message mentions a user. */
export function mentions(uid: string): Condition {
  return {
    sql: "EXISTS (SELECT 1 FROM json_each(body, '$.data.mentions') AS mention WHERE mention.key = ?)",
    values: [uid],
  };
}

function afterMark(call: AppCall, uid: string, mark: "read_id" | "delivered_id"): Condition[] {
  const [, ...rest] = unreadBy(uid);
  return [
    {
      sql: `id IN (SELECT later.id FROM conversations AS own CROSS JOIN messages AS later
          ON later.app_id = own.app_id AND later.conversation_id = own.conversation_id AND later.id > own.${mark}
        WHERE own.app_id = ? AND own.uid = ? AND own.unread > 0)`,
      values: [call.app.appId, uid],
    },
    ...rest,
  ];
}

const fewMessages = 2_000;

function markOf(mark: "read_id" | "cleared_id"): string {
  return `coalesce((SELECT own.${mark} FROM conversations AS own WHERE own.app_id = messages.app_id AND own.uid = ?
    AND own.conversation_id = messages.conversation_id), 0)`;
}
