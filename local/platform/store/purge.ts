import { allOf, type Condition, condition, equals } from "./condition.ts";
import { forgetAllUnread } from "./conversations.ts";
import type { AppData } from "./database.ts";
import { partakenBy } from "./message-access.ts";
import { emptyCopies } from "./message-copies.ts";
import { deleteRows } from "./rows.ts";
import { recountReplies } from "./threads.ts";

/**
 * Removes messages for good, with what hangs on them, what copies hold of them, and files that no other
 * message names (assumed). Replies stay.
 */
export function purgeMessages({ db, appId }: AppData, which: Condition): void {
  const { sql, values } = allOf([...equals("app_id", appId), which]);
  const filesOf = `documents WHERE app_id = ? AND kind = 'message-file'`;
  const files = db.values<string>(`SELECT id FROM ${filesOf} AND ${namedBy(sql)}`, appId, ...values);
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
  for (const id of files) {
    db.run(`DELETE FROM ${filesOf} AND id = ? AND NOT ${namedBy("app_id = ?")}`, appId, id, appId);
  }
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

/** In SQL, of a file: the address in an attachment holds its id. */
function namedBy(messages: string) {
  return `EXISTS (SELECT 1 FROM messages WHERE ${messages} AND instr(messages.body, documents.id) > 0)`;
}

const hanging = [
  ["reactions", "message_id"],
  ["saved_messages", "message_id"],
  ["interactions", "message_id"],
  ["pinned_messages", "message_id"],
  ["threads", "parent_id"],
  ["thread_subscribers", "parent_id"],
];
