import { isJsonObject, type JsonObject } from "../json.ts";
import { allOf, type Condition } from "./condition.ts";
import { nextNumber, skipNumbers } from "./counters.ts";
import type { Database } from "./database.ts";
import { entityIn, integerIn } from "./row.ts";

/**
 * Describes a message as stored and as shown. `id` is a growing number in decimal, timestamps are unix seconds.
 * @see docs/platform/messages.md#shape-of-a-message, docs/platform/ids-and-limits.md#size-of-messages
 */
export type Message = {
  id: string;
  muid?: string;
  conversationId: string;
  sender: string;
  receiverType: "user" | "group";
  receiver: string;
  category: string;
  type: string;
  parentId?: string;
  data: JsonObject;
  sentAt: number;
  editedAt?: number;
  editedBy?: string;
  deletedAt?: number;
  deletedBy?: string;
  updatedAt: number;
  tags?: string[];
  replyCount?: number;
  lastReply?: JsonObject;
  quotedMessage?: JsonObject;
  pinnedBy?: string;
  pinnedAt?: number;
};

/** Gives the id for an app's next message. */
export function nextMessageId(db: Database, appId: string): string {
  return String(nextNumber(db, appId, "message"));
}

/** Makes ids up to this one, which a message from elsewhere has, never given again. */
export function skipMessageIds(db: Database, appId: string, id: string): void {
  skipNumbers(db, appId, "message", Number(id));
}

/** Finds a message, deleted ones included. An id that is no number is not found. */
export function findMessage(db: Database, appId: string, id: string): Message | undefined {
  if (!/^\d{1,15}$/.test(id)) return undefined;
  const row = db.get("SELECT body FROM messages WHERE app_id = ? AND id = ?", appId, Number(id));
  return row === undefined ? undefined : entityIn(row, "body", isMessage);
}

/** Tells whether a message carries this id of its sender's. */
export function hasMuid(db: Database, appId: string, muid: string): boolean {
  return db.get("SELECT 1 AS hit FROM messages WHERE app_id = ? AND muid = ?", appId, muid) !== undefined;
}

/** Stores a message, new or changed. */
export function putMessage(db: Database, appId: string, message: Message): void {
  db.run(
    `INSERT OR REPLACE INTO messages (app_id, id, conversation_id, sender, receiver_type, receiver, category, type,
       parent_id, muid, sent_at, updated_at, edited_at, deleted_at, body)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    appId,
    Number(message.id),
    message.conversationId,
    message.sender,
    message.receiverType,
    message.receiver,
    message.category,
    message.type,
    message.parentId === undefined ? null : Number(message.parentId),
    message.muid ?? null,
    message.sentAt,
    message.updatedAt,
    message.editedAt ?? null,
    message.deletedAt ?? null,
    JSON.stringify(message),
  );
}

/** Removes a message for good, with what hangs on it; its replies stay. */
export function deleteMessageRow(db: Database, appId: string, id: string): void {
  for (const table of ["reactions", "saved_messages", "interactions", "pinned_messages"]) {
    db.run(`DELETE FROM ${table} WHERE app_id = ? AND message_id = ?`, appId, Number(id));
  }
  for (const table of ["threads", "thread_subscribers"]) {
    db.run(`DELETE FROM ${table} WHERE app_id = ? AND parent_id = ?`, appId, Number(id));
  }
  db.run("DELETE FROM messages WHERE app_id = ? AND id = ?", appId, Number(id));
}

/** Removes all messages of a conversation for good, with what hangs on them. */
export function deleteMessagesOf(db: Database, appId: string, conversationId: string): void {
  const ids = "(SELECT id FROM messages WHERE app_id = ? AND conversation_id = ?)";
  for (const table of ["reactions", "saved_messages", "interactions"]) {
    db.run(`DELETE FROM ${table} WHERE app_id = ? AND message_id IN ${ids}`, appId, appId, conversationId);
  }
  db.run(
    `DELETE FROM thread_subscribers WHERE app_id = ? AND parent_id IN ${ids}`,
    appId,
    appId,
    conversationId,
  );
  for (const table of ["threads", "pinned_messages", "receipts", "messages"]) {
    db.run(`DELETE FROM ${table} WHERE app_id = ? AND conversation_id = ?`, appId, conversationId);
  }
}

/** Selects messages by conditions over the columns of `messages` (joined by AND), ordered by id. */
export function selectMessages(db: Database, query: MessageSelection): Message[] {
  const { sql, values } = allOf([ofApp(query.appId), ...query.conditions]);
  const rows = db.all(
    `SELECT body FROM messages WHERE ${sql} ORDER BY id ${query.newestFirst ? "DESC" : "ASC"} LIMIT ? OFFSET ?`,
    ...values,
    query.limit,
    query.offset ?? 0,
  );
  return rows.map((row) => entityIn(row, "body", isMessage));
}

/** Counts the messages that `selectMessages` would find without a limit. */
export function countMessages(db: Database, appId: string, conditions: Condition[]): number {
  const { sql, values } = allOf([ofApp(appId), ...conditions]);
  const row = db.get(`SELECT count(*) AS n FROM messages WHERE ${sql}`, ...values);
  return row === undefined ? 0 : integerIn(row, "n");
}

/** What to select. */
export type MessageSelection = {
  appId: string;
  conditions: Condition[];
  newestFirst: boolean;
  limit: number;
  offset?: number;
};

/** Recognises a stored message. */
export function isMessage(value: unknown): value is Message {
  return isJsonObject(value) && typeof value.conversationId === "string" && isJsonObject(value.data);
}

function ofApp(appId: string): Condition {
  return { sql: "app_id = ?", values: [appId] };
}
