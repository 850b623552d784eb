import { allOf, type Condition, condition, equals } from "./condition.ts";
import { forgetAllUnread } from "./conversations.ts";
import type { AppData } from "./database.ts";
import { partakenBy } from "./message-access.ts";
import { emptyCopies } from "./message-copies.ts";
import { filesOf, removeUnnamed } from "./message-files.ts";
import { deleteRows } from "./rows.ts";
import { recountReplies } from "./threads.ts";

/**
 * Removes messages for good, with what hangs on them, what copies hold of them, and files that no other
 * message has as an attachment (assumed). Replies stay.
 */
export function purgeMessages({ db, appId }: AppData, which: Condition): void {
  const { sql, values } = allOf([...equals("app_id", appId), which]);
  const files = filesOf({ db, appId }, { sql, values });
  emptyCopies({ db, appId }, which);
  forgetAllUnread({ db, appId }, which);
  const replied = `SELECT DISTINCT CAST(parent_id AS TEXT) FROM messages WHERE ${sql} AND parent_id IS NOT NULL`;
  const parents = db.values<string>(replied, ...values);
  for (const [table, column] of hanging) {
    const ids = `(SELECT id FROM messages WHERE ${sql})`;
    db.run(`DELETE FROM ${table} WHERE app_id = ? AND ${column} IN ${ids}`, appId, ...values);
  }
  db.run(`DELETE FROM messages WHERE ${sql}`, ...values);
  for (const id of parents) recountReplies({ db, appId }, id);
  for (const id of files) removeUnnamed({ db, appId }, id);
}

/** A group's, or with `uid` the one of that user with another. Ids are ambiguous: see `partiesOf`. */
export function purgeConversation(data: AppData, conversationId: string, uid?: string): void {
  const ofType = (type: "user" | "group") =>
    condition("conversation_id = ? AND receiver_type = ?", conversationId, type);
  if (uid === undefined) {
    purgeMessages(data, ofType("group"));
    deleteRows(data, "receipts", { conversationId });
    return;
  }
  purgeMessages(data, allOf([ofType("user"), partakenBy(uid)]));
  data.db.run(
    `DELETE FROM receipts WHERE app_id = ? AND conversation_id = ? AND uid IN (SELECT ? UNION ALL
       SELECT uid FROM conversations WHERE app_id = ? AND conversation_id = ? AND peer = ?)`,
    ...[data.appId, conversationId, uid],
    ...[data.appId, conversationId, uid],
  );
}

const hanging = [
  ["reactions", "message_id"],
  ["saved_messages", "message_id"],
  ["interactions", "message_id"],
  ["pinned_messages", "message_id"],
  ["message_files", "message_id"],
  ["threads", "parent_id"],
  ["thread_subscribers", "parent_id"],
];
