import type { Database } from "./database.ts";
import type { Message } from "./messages.ts";
import { integerIn } from "./row.ts";

/** Notes that a message is pinned in its conversation. */
export function addPin(db: Database, appId: string, message: Message): void {
  db.run(
    "INSERT INTO pinned_messages (app_id, conversation_id, message_id) VALUES (?, ?, ?)",
    appId,
    message.conversationId,
    Number(message.id),
  );
}

/** Notes that a message is not pinned; the same again does nothing. */
export function removePin(db: Database, appId: string, message: Message): void {
  db.run(
    "DELETE FROM pinned_messages WHERE app_id = ? AND conversation_id = ? AND message_id = ?",
    appId,
    message.conversationId,
    Number(message.id),
  );
}

/** Counts the pinned messages of a conversation. */
export function countPins(db: Database, appId: string, conversationId: string): number {
  const row = db.get(
    "SELECT count(*) AS n FROM pinned_messages WHERE app_id = ? AND conversation_id = ?",
    appId,
    conversationId,
  );
  return row === undefined ? 0 : integerIn(row, "n");
}

/** Notes that a user touched an element of an interactive message; the same again keeps the first time (unix seconds). */
export function addInteraction(
  db: Database,
  appId: string,
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
