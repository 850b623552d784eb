import type { Database } from "./database.ts";
import { isMessage, type Message } from "./messages.ts";
import { entityIn, integerIn } from "./row.ts";

/** Notes that a thread has a new reply. `at` is in unix seconds. */
export function touchThread(db: Database, appId: string, reply: Message): void {
  db.run(
    `INSERT INTO threads (app_id, parent_id, conversation_id, updated_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (app_id, parent_id) DO UPDATE SET updated_at = excluded.updated_at`,
    appId,
    Number(reply.parentId),
    reply.conversationId,
    reply.sentAt,
  );
}

/** Counts the replies of a message that are not deleted. */
export function countReplies(db: Database, appId: string, parentId: string): number {
  const row = db.get(
    "SELECT count(*) AS n FROM messages WHERE app_id = ? AND parent_id = ? AND deleted_at IS NULL",
    appId,
    Number(parentId),
  );
  return row === undefined ? 0 : integerIn(row, "n");
}

/** Finds the newest reply that is not deleted. */
export function findLastReply(db: Database, appId: string, parentId: string): Message | undefined {
  const row = db.get(
    `SELECT body FROM messages WHERE app_id = ? AND parent_id = ? AND deleted_at IS NULL ORDER BY id DESC LIMIT 1`,
    appId,
    Number(parentId),
  );
  return row === undefined ? undefined : entityIn(row, "body", isMessage);
}

/** Lets users follow a thread; the same again does nothing. */
export function subscribe(db: Database, appId: string, parentId: string, uids: Iterable<string>): void {
  for (const uid of uids) {
    db.run(
      "INSERT OR IGNORE INTO thread_subscribers (app_id, parent_id, uid) VALUES (?, ?, ?)",
      appId,
      Number(parentId),
      uid,
    );
  }
}

/** Ends following a thread; when nobody follows it does nothing. */
export function unsubscribe(db: Database, appId: string, parentId: string, uid: string): void {
  db.run(
    "DELETE FROM thread_subscribers WHERE app_id = ? AND parent_id = ? AND uid = ?",
    appId,
    Number(parentId),
    uid,
  );
}
