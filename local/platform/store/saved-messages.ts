import type { Database } from "./database.ts";
import { integerIn } from "./row.ts";

/** Gives what a user saved: message ids with the time of saving in unix seconds. At most 100 exist. */
export function savedTimes(db: Database, appId: string, uid: string): Map<string, number> {
  const rows = db.all(
    "SELECT message_id, saved_at FROM saved_messages WHERE app_id = ? AND uid = ?",
    appId,
    uid,
  );
  return new Map(rows.map((row) => [String(integerIn(row, "message_id")), integerIn(row, "saved_at")]));
}

/** Saves a message for a user; the same again keeps the first time. */
export function saveMessage(
  db: Database,
  appId: string,
  save: { uid: string; messageId: string; at: number },
): void {
  db.run(
    "INSERT OR IGNORE INTO saved_messages (app_id, uid, message_id, saved_at) VALUES (?, ?, ?, ?)",
    appId,
    save.uid,
    Number(save.messageId),
    save.at,
  );
}

/** Takes a saved message off a user's list; one that is not there does nothing. */
export function unsaveMessage(db: Database, appId: string, uid: string, messageId: string): void {
  db.run(
    "DELETE FROM saved_messages WHERE app_id = ? AND uid = ? AND message_id = ?",
    appId,
    uid,
    Number(messageId),
  );
}
