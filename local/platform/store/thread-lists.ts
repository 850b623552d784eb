import { allOf, type Condition } from "./condition.ts";
import type { Database } from "./database.ts";
import { isMessage, type Message } from "./messages.ts";
import { visibleTo } from "./reader-conditions.ts";
import { entityIn, integerIn } from "./row.ts";

/** Says which threads a list is to hold. `beyond` is the time of a last reply, in unix seconds, to go on from. */
export type ThreadFilter = {
  /** A user in whose conversations the threads are; with `onlyOwn` they wrote the parent or a reply. */
  reader: { uid: string; onlyOwn: boolean } | undefined;
  beyond: number | undefined;
  isBackwards: boolean;
  limit: number;
};

/** Lists the parents of threads by the time of the last reply, oldest first. */
export function selectThreads(
  db: Database,
  appId: string,
  filter: ThreadFilter,
): { parent: Message; updatedAt: number }[] {
  const { sql, values } = allOf(conditionsOf(appId, filter));
  const direction = filter.isBackwards ? "DESC" : "ASC";
  const threads = db
    .all(
      `SELECT threads.updated_at, messages.body FROM threads
     JOIN messages ON messages.app_id = threads.app_id AND messages.id = threads.parent_id
     WHERE ${sql}
     ORDER BY threads.updated_at ${direction}, threads.parent_id ${direction} LIMIT ?`,
      ...values,
      filter.limit,
    )
    .map((row) => ({ parent: entityIn(row, "body", isMessage), updatedAt: integerIn(row, "updated_at") }));
  return filter.isBackwards ? threads.reverse() : threads;
}

function conditionsOf(appId: string, { reader, beyond, isBackwards }: ThreadFilter): Condition[] {
  return [
    { sql: "threads.app_id = ?", values: [appId] },
    { sql: "messages.deleted_at IS NULL", values: [] },
    ...(beyond === undefined
      ? []
      : [{ sql: `threads.updated_at ${isBackwards ? "<" : ">"} ?`, values: [beyond] }]),
    ...(reader === undefined ? [] : readerConditions(appId, reader)),
  ];
}

function readerConditions(appId: string, { uid, onlyOwn }: { uid: string; onlyOwn: boolean }): Condition[] {
  const visible = visibleTo(appId, uid);
  const own = {
    sql: `(messages.sender = ? OR EXISTS (SELECT 1 FROM messages AS reply
        WHERE reply.app_id = threads.app_id AND reply.parent_id = threads.parent_id AND reply.sender = ?))`,
    values: [uid, uid],
  };
  return [{ ...visible, sql: `threads.${visible.sql}` }, ...(onlyOwn ? [own] : [])];
}
