import { type AppData, integerIn } from "./database.ts";
import type { Message } from "./messages.ts";

/** Notes that a message is pinned in its conversation. */
export function addPin({ db, appId }: AppData, message: Message): void {
  db.run(
    "INSERT INTO pinned_messages (app_id, conversation_id, message_id) VALUES (?, ?, ?)",
    appId,
    message.conversationId,
    Number(message.id),
  );
}

/** Notes that a message is not pinned; the same again does nothing. */
export function removePin({ db, appId }: AppData, message: Message): void {
  db.run(
    "DELETE FROM pinned_messages WHERE app_id = ? AND conversation_id = ? AND message_id = ?",
    appId,
    message.conversationId,
    Number(message.id),
  );
}

/** Counts the pinned messages of a conversation. */
export function countPins({ db, appId }: AppData, conversationId: string): number {
  return db.count(
    "SELECT count(*) AS n FROM pinned_messages WHERE app_id = ? AND conversation_id = ?",
    appId,
    conversationId,
  );
}

/** Notes that a user touched an element of an interactive message; the same again keeps the first time (unix seconds). */
export function addInteraction(
  { db, appId }: AppData,
  interaction: { messageId: string; uid: string; element: string; at: number },
): void {
  db.run(
    "INSERT OR IGNORE INTO interactions (app_id, message_id, uid, element, at) VALUES (?, ?, ?, ?, ?)",
    appId,
    Number(interaction.messageId),
    interaction.uid,
    interaction.element,
    interaction.at,
  );
}

/** Gives what a user saved: message ids with the time of saving in unix seconds. At most 100 exist. */
export function savedTimes({ db, appId }: AppData, uid: string): Map<string, number> {
  const rows = db.all(
    "SELECT message_id, saved_at FROM saved_messages WHERE app_id = ? AND uid = ?",
    appId,
    uid,
  );
  return new Map(rows.map((row) => [String(integerIn(row, "message_id")), integerIn(row, "saved_at")]));
}

/** Saves a message for a user; the same again keeps the first time. */
export function saveMessage(
  { db, appId }: AppData,
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
export function unsaveMessage({ db, appId }: AppData, uid: string, messageId: string): void {
  db.run(
    "DELETE FROM saved_messages WHERE app_id = ? AND uid = ? AND message_id = ?",
    appId,
    uid,
    Number(messageId),
  );
}
