import { allOf, type Condition, condition, equals } from "./condition.ts";
import type { AppData } from "./database.ts";
import { emptyCopies } from "./message-copies.ts";
import { deleteRows } from "./rows.ts";

/** Removes messages for good, with what hangs on them and what copies hold of them. Replies stay. */
export function purgeMessages({ db, appId }: AppData, which: Condition): void {
  emptyCopies({ db, appId }, which);
  const { sql, values } = allOf([...equals("app_id", appId), which]);
  for (const [table, column] of hanging) {
    const ids = `(SELECT id FROM messages WHERE ${sql})`;
    db.run(`DELETE FROM ${table} WHERE app_id = ? AND ${column} IN ${ids}`, appId, ...values);
  }
  db.run(`DELETE FROM messages WHERE ${sql}`, ...values);
}

export function purgeConversation(data: AppData, conversationId: string): void {
  purgeMessages(data, condition("conversation_id = ?", conversationId));
  deleteRows(data, "receipts", { conversationId });
}

const hanging = [
  ["reactions", "message_id"],
  ["saved_messages", "message_id"],
  ["interactions", "message_id"],
  ["pinned_messages", "message_id"],
  ["threads", "parent_id"],
  ["thread_subscribers", "parent_id"],
];
