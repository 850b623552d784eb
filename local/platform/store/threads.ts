import { type AppData, deleteRows, putRow } from "./database.ts";
import { isKeptFromNobody, readableBy } from "./message-access.ts";
import { visibleTo } from "./message-conditions.ts";
import { findMessage, type Message, putMessage } from "./messages.ts";
import { allOf, condition, forValue } from "./query.ts";

export function touchThread(data: AppData, { parentId, conversationId, sentAt }: Message): void {
  putRow(data, "threads", { parentId: Number(parentId), conversationId, updatedAt: sentAt });
}

/** Ends a thread with its last reply. @returns the parent */
export function recountReplies(data: AppData, parentId: string | undefined): Message | undefined {
  const parent = parentId === undefined ? undefined : findMessage(data, parentId);
  if (parent === undefined) return undefined;
  const replyCount = data.db.count(
    `SELECT count(*) AS n FROM messages
     WHERE app_id = ? AND parent_id = ? AND deleted_at IS NULL AND ${isKeptFromNobody}`,
    data.appId,
    Number(parent.id),
  );
  putMessage(data, { ...parent, replyCount });
  if (replyCount === 0) deleteRows(data, "threads", { parentId: Number(parent.id) });
  return parent;
}

export function findLastReply({ db, appId }: AppData, parentId: string): Message | undefined {
  return db.entity(
    `SELECT body FROM messages WHERE app_id = ? AND parent_id = ? AND deleted_at IS NULL AND ${isKeptFromNobody}
     ORDER BY id DESC LIMIT 1`,
    appId,
    Number(parentId),
  );
}

export function subscribe(data: AppData, parentId: string, uids: Iterable<string>): void {
  for (const uid of uids) putRow(data, "thread_subscribers", { parentId, uid }, "IGNORE");
}

/** `beyond`: the time of a last reply to continue from. */
type ThreadFilter = {
  /** `onlyOwn`: the user wrote the parent or a reply. */
  reader: { uid: string; onlyOwn: boolean } | undefined;
  beyond: number | undefined;
  isBackwards: boolean;
  limit: number;
};

export function selectThreads(
  { db, appId }: AppData,
  filter: ThreadFilter,
): { parent: Message; updatedAt: number }[] {
  const { sql, values } = allOf(conditionsOf(appId, filter));
  const direction = filter.isBackwards ? "DESC" : "ASC";
  const threads = db
    .rows<{ updatedAt: number; body: string }>(
      `SELECT threads.updated_at, messages.body FROM threads
     JOIN messages ON messages.app_id = threads.app_id AND messages.id = threads.parent_id
     WHERE ${sql}
     ORDER BY threads.updated_at ${direction}, threads.parent_id ${direction} LIMIT ?`,
      ...values,
      filter.limit,
    )
    .map(({ updatedAt, body }) => ({ parent: JSON.parse(body), updatedAt }));
  return filter.isBackwards ? threads.reverse() : threads;
}

function conditionsOf(appId: string, { reader, beyond, isBackwards }: ThreadFilter) {
  return [
    condition("threads.app_id = ?", appId),
    condition("messages.deleted_at IS NULL"),
    ...forValue(beyond, `threads.updated_at ${isBackwards ? "<" : ">"} ?`),
    ...(reader === undefined ? [] : readerConditions(appId, reader)),
  ];
}

function readerConditions(appId: string, { uid, onlyOwn }: { uid: string; onlyOwn: boolean }) {
  const visible = visibleTo(appId, uid);
  const own = condition(
    `(messages.sender = ? OR EXISTS (SELECT 1 FROM messages AS reply
        WHERE reply.app_id = threads.app_id AND reply.parent_id = threads.parent_id AND reply.sender = ?))`,
    uid,
    uid,
  );
  return [{ ...visible, sql: `threads.${visible.sql}` }, readableBy(uid), ...(onlyOwn ? [own] : [])];
}
