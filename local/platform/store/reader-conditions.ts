import type { Condition } from "./condition.ts";
import type { Database } from "./database.ts";
import { integerIn } from "./row.ts";
import { countedCategories } from "./unread-counts.ts";

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
export function pageVisibleTo(db: Database, appId: string, uid: string): Condition {
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
export function notCleared(db: Database, appId: string, uid: string): Condition[] {
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
