import { movesConversation } from "./app-settings.ts";
import {
  type AppData,
  flagIn,
  integerIn,
  optionalIntegerIn,
  optionalTextIn,
  type Row,
  textIn,
} from "./database.ts";
import type { Message } from "./messages.ts";
import { addUnread, countedCategories, unreadIncrease } from "./unread-counts.ts";
import { systemUser } from "./users.ts";

/**
 * Describes a conversation as one of its users has it. `peer` is the other user or the guid; `readId`, `deliveredId`
 * and `clearedId` are the ids of the last message read, delivered and deleted by that user. Times are unix seconds.
 */
export type Conversation = {
  uid: string;
  conversationId: string;
  type: "user" | "group";
  peer: string;
  createdAt: number;
  updatedAt: number;
  lastId?: number | undefined;
  unread: number;
  readId: number;
  deliveredId: number;
  clearedId: number;
  /** True after the user deleted it, until the next message. */
  isHidden: boolean;
  pinnedAt?: number | undefined;
  tags?: string[] | undefined;
};

/**
 * Brings the conversations of everybody who takes part up to date with a new message. One that moves no conversation, by
 * the app's settings, is its last message only where it begins it. In a group above 300 members nothing is updated.
 * @see docs/platform/conversations.md#life-of-a-conversation, docs/platform/ids-and-limits.md#quantities
 */
export function recordInConversations({ db, appId }: AppData, message: Message): void {
  const isMoving = movesConversation({ db, appId }, message);
  if (!isMoving && message.category === "action" && message.type === "message") return;
  const onConflict = isMoving ? moveOnConflict : countOnConflict;
  const counts = unreadIncrease(message);
  if (message.receiverType === "user") {
    for (const uid of [message.sender, message.receiver]) {
      if (uid === systemUser.uid) continue;
      const peer = uid === message.sender ? message.receiver : message.sender;
      db.run(
        `INSERT INTO conversations (app_id, uid, conversation_id, type, peer, created_at, updated_at, last_id, unread,
           read_id, delivered_id) VALUES (?, ?, ?, 'user', ?, ?, ?, ?, ?, ?, ?) ${onConflict}`,
        appId,
        uid,
        message.conversationId,
        peer,
        ...positions(message),
        uid === message.sender ? 0 : counts,
        Number(message.id) - 1,
        Number(message.id) - 1,
      );
    }
    return;
  }
  db.run(
    `INSERT INTO conversations (app_id, uid, conversation_id, type, peer, created_at, updated_at, last_id, unread,
       read_id, delivered_id)
     SELECT app_id, uid, ?, 'group', guid, ?, ?, ?, CASE uid WHEN ? THEN 0 ELSE ? END, ?, ? FROM members
     WHERE app_id = ? AND guid = ? AND
       (SELECT members_count FROM groups WHERE groups.app_id = members.app_id AND groups.guid = members.guid) <= ?
     ${onConflict}`,
    message.conversationId,
    ...positions(message),
    message.sender,
    counts,
    Number(message.id) - 1,
    Number(message.id) - 1,
    appId,
    message.receiver,
    maxTrackedMembers,
  );
}

/** Opens a one-to-one conversation for the sender of a message that the receiver does not get. */
export function openForSender({ db, appId }: AppData, message: Message): void {
  if (message.receiverType === "group" || message.sender === systemUser.uid) return;
  db.run(
    `INSERT OR IGNORE INTO conversations (app_id, uid, conversation_id, type, peer, created_at, updated_at, read_id,
       delivered_id) VALUES (?, ?, ?, 'user', ?, ?, ?, ?, ?)`,
    appId,
    message.sender,
    message.conversationId,
    message.receiver,
    message.sentAt,
    message.sentAt,
    Number(message.id) - 1,
    Number(message.id) - 1,
  );
}

/** Finds a user's conversation, hidden or not. */
export function findConversation(
  { db, appId }: AppData,
  uid: string,
  conversationId: string,
): Conversation | undefined {
  return db.first(
    toConversation,
    "SELECT * FROM conversations WHERE app_id = ? AND uid = ? AND conversation_id = ?",
    appId,
    uid,
    conversationId,
  );
}

/** Stores a conversation, new or changed. */
export function putConversation({ db, appId }: AppData, conversation: Conversation): void {
  db.run(
    `INSERT OR REPLACE INTO conversations (app_id, uid, conversation_id, type, peer, created_at, updated_at, last_id,
       unread, read_id, delivered_id, cleared_id, is_hidden, pinned_at, tags)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    appId,
    conversation.uid,
    conversation.conversationId,
    conversation.type,
    conversation.peer,
    conversation.createdAt,
    conversation.updatedAt,
    conversation.lastId ?? null,
    conversation.unread,
    conversation.readId,
    conversation.deliveredId,
    conversation.clearedId,
    conversation.isHidden ? 1 : 0,
    conversation.pinnedAt ?? null,
    conversation.tags === undefined ? null : JSON.stringify(conversation.tags),
  );
}

/** Clears a conversation for everybody up to a message, and hides it until the next one or leaves it in the lists. */
export function clearForAll(
  { db, appId }: AppData,
  conversationId: string,
  clearing: { upTo: number; isHidden: boolean },
): void {
  db.run(
    `UPDATE conversations SET unread = 0, read_id = ?, delivered_id = ?, cleared_id = ?, is_hidden = max(is_hidden, ?)
     WHERE app_id = ? AND conversation_id = ?`,
    clearing.upTo,
    clearing.upTo,
    clearing.upTo,
    clearing.isHidden ? 1 : 0,
    appId,
    conversationId,
  );
}

/** Removes a conversation of one user, or with `uid` undefined of everybody. */
export function deleteConversations(
  { db, appId }: AppData,
  conversationId: string,
  uid: string | undefined,
): void {
  db.run(
    "DELETE FROM conversations WHERE app_id = ? AND conversation_id = ? AND uid = coalesce(?, uid)",
    appId,
    conversationId,
    uid ?? null,
  );
}

/** Counts the conversations a user has pinned. */
export function countPinned({ db, appId }: AppData, uid: string): number {
  return db.count(
    "SELECT count(*) AS n FROM conversations WHERE app_id = ? AND uid = ? AND pinned_at IS NOT NULL",
    appId,
    uid,
  );
}

/** Tells whether anybody has a conversation of this id. */
export function conversationExists({ db, appId }: AppData, conversationId: string): boolean {
  return db.has(
    "SELECT 1 AS hit FROM conversations WHERE app_id = ? AND conversation_id = ? LIMIT 1",
    appId,
    conversationId,
  );
}

/** Gives the id of a conversation's last message that is no record of an edit or deletion; 0 when there is none. */
export function lastMessageId({ db, appId }: AppData, conversationId: string): number {
  const row = db.get(
    `SELECT id FROM messages WHERE app_id = ? AND conversation_id = ? AND NOT (category = 'action' AND type = 'message')
     ORDER BY id DESC LIMIT 1`,
    appId,
    conversationId,
  );
  return row === undefined ? 0 : integerIn(row, "id");
}

/** Counts what a user has not read after a message of a conversation. */
export function countUnread(
  { db, appId }: AppData,
  conversation: Pick<Conversation, "uid" | "conversationId">,
  afterId: number,
): number {
  return db.count(
    `SELECT count(*) AS n FROM messages WHERE app_id = ? AND conversation_id = ? AND id > ? AND sender <> ?
       AND deleted_at IS NULL AND category IN (${countedCategories.map((name) => `'${name}'`).join(", ")})`,
    appId,
    conversation.conversationId,
    afterId,
    conversation.uid,
  );
}

/** Reads a row of `conversations`. */
export function toConversation(row: Row): Conversation {
  const tags = optionalTextIn(row, "tags");
  const parsed: unknown = tags === undefined ? undefined : JSON.parse(tags);
  return {
    uid: textIn(row, "uid"),
    conversationId: textIn(row, "conversation_id"),
    type: textIn(row, "type") === "group" ? "group" : "user",
    peer: textIn(row, "peer"),
    createdAt: integerIn(row, "created_at"),
    updatedAt: integerIn(row, "updated_at"),
    lastId: optionalIntegerIn(row, "last_id"),
    unread: integerIn(row, "unread"),
    readId: integerIn(row, "read_id"),
    deliveredId: integerIn(row, "delivered_id"),
    clearedId: integerIn(row, "cleared_id"),
    isHidden: flagIn(row, "is_hidden"),
    pinnedAt: optionalIntegerIn(row, "pinned_at"),
    tags: Array.isArray(parsed) ? parsed.map(String) : undefined,
  };
}

const maxTrackedMembers = 300;

// A message may come late (moderation approved it, or it was imported): it then moves nothing back.
const moveOnConflict = `ON CONFLICT (app_id, uid, conversation_id) DO UPDATE SET
  updated_at = max(updated_at, excluded.updated_at), last_id = max(coalesce(last_id, 0), excluded.last_id),
  ${addUnread}, is_hidden = 0`;

// Settings are said to choose what moves a conversation on, not what counts as unread.
const countOnConflict = `ON CONFLICT (app_id, uid, conversation_id) DO UPDATE SET ${addUnread}`;

function positions(message: Message): [number, number, number] {
  return [message.sentAt, message.sentAt, Number(message.id)];
}
