import { type AppData, optionalIntegerIn } from "./database.ts";
import type { Message } from "./messages.ts";

/** Lists the categories that count as unread (assumed). */
export const countedCategories: readonly string[] = ["message", "custom", "interactive"];

/** Tells by how much a new message raises the count of whoever did not write it. */
export function unreadIncrease(message: Message): number {
  return countedCategories.includes(message.category) ? 1 : 0;
}

/** Raises a conversation's count where the message is beyond what its user has read: part of an upsert. */
export const addUnread =
  "unread = unread + CASE WHEN read_id < excluded.last_id THEN excluded.unread ELSE 0 END";

/** Takes a deleted message out of the unread counts of those who had not read it. */
export function forgetUnread({ db, appId }: AppData, message: Message): void {
  if (!countedCategories.includes(message.category)) return;
  db.run(
    `UPDATE conversations SET unread = unread - 1
     WHERE app_id = ? AND conversation_id = ? AND uid <> ? AND read_id < ? AND unread > 0`,
    appId,
    message.conversationId,
    message.sender,
    Number(message.id),
  );
}

/** Counts what a user has not read in all conversations. */
export function sumUnread({ db, appId }: AppData, uid: string): number {
  const row = db.get("SELECT sum(unread) AS n FROM conversations WHERE app_id = ? AND uid = ?", appId, uid);
  return row === undefined ? 0 : (optionalIntegerIn(row, "n") ?? 0);
}
