import { movesConversation } from "./app-settings.ts";
import type { AppData } from "./database.ts";
import type { Message } from "./messages.ts";
import { systemUser } from "./users.ts";

/**
 * Describes a conversation as one of its users has it. `peer` is the other user or the guid; `readId`,
 * `deliveredId` and `clearedId` are the ids of the last message that this user read, received and deleted.
 * Times are unix seconds.
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
 * Updates the conversations of all participants with a new message. One that moves no conversation, by
 * the app's settings, is its last message only where it begins it. In a group above 300 members nothing is
 * updated.
 * @see docs/internals/platform/conversations.md#life-of-a-conversation,
 *   docs/internals/platform/ids-and-limits.md#quantities
 */
export function recordInConversations({ db, appId }: AppData, message: Message): void {
  const isMoving = movesConversation({ db, appId }, message);
  if (!isMoving && message.category === "action" && message.type === "message") return;
  const onConflict = isMoving ? moveOnConflict : countOnConflict;
  const counts = unreadIncrease(message);
  const { sender, receiver, conversationId } = message;
  if (message.receiverType === "user") {
    for (const uid of [sender, receiver]) {
      if (uid === systemUser.uid) continue;
      db.run(
        `INSERT INTO conversations (app_id, uid, conversation_id, type, peer, created_at, updated_at, last_id, unread,
           read_id, delivered_id) VALUES (?, ?, ?, 'user', ?, ?, ?, ?, ?, ?, ?) ${onConflict}`,
        appId,
        uid,
        conversationId,
        uid === sender ? receiver : sender,
        ...positions(message),
        uid === sender ? 0 : counts,
        ...before(message),
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
    conversationId,
    ...positions(message),
    sender,
    counts,
    ...before(message),
    appId,
    receiver,
    maxTrackedMembers,
  );
}

/** Opens a one-to-one conversation for the sender of a message that the receiver does not get. */
export function openForSender({ db, appId }: AppData, message: Message): void {
  const { sender, receiver, conversationId, sentAt } = message;
  if (message.receiverType === "group" || sender === systemUser.uid) return;
  const [readId, deliveredId] = before(message);
  const times = { createdAt: sentAt, updatedAt: sentAt };
  const row = {
    appId,
    uid: sender,
    conversationId,
    type: "user",
    peer: receiver,
    ...times,
    readId,
    deliveredId,
  };
  db.put("conversations", row, "IGNORE");
}

/** Finds a user's conversation, hidden or not. */
export function findConversation(
  { db, appId }: AppData,
  uid: string,
  conversationId: string,
): Conversation | undefined {
  return db.row(
    `SELECT ${conversationColumns} FROM conversations WHERE app_id = ? AND uid = ? AND conversation_id = ?`,
    appId,
    uid,
    conversationId,
  );
}

/** Stores a conversation, new or changed. */
export function putConversation({ db, appId }: AppData, conversation: Conversation): void {
  db.put("conversations", { appId, ...conversation });
}

/**
 * Clears a conversation for all its users up to a message, and hides it until the next one or leaves it in
 * the lists.
 */
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

/** Counts the conversations a user has pinned. */
export function countPinned({ db, appId }: AppData, uid: string): number {
  return db.count(
    "SELECT count(*) AS n FROM conversations WHERE app_id = ? AND uid = ? AND pinned_at IS NOT NULL",
    appId,
    uid,
  );
}

/**
 * Returns the id of a conversation's last message that is no record of an edit or deletion; 0 if there is
 * none.
 */
export function lastMessageId({ db, appId }: AppData, conversationId: string): number {
  return db.count(
    `SELECT id FROM messages WHERE app_id = ? AND conversation_id = ? AND NOT (category = 'action' AND type = 'message')
     ORDER BY id DESC LIMIT 1`,
    appId,
    conversationId,
  );
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

/** Names the columns that make a conversation. */
export const conversationColumns = `uid, conversation_id, type, peer, created_at, updated_at, last_id, unread, read_id,
  delivered_id, cleared_id, is_hidden, pinned_at, tags`;

// Raises a conversation's count where the message is beyond what its user has read.
const addUnread = "unread = unread + CASE WHEN read_id < excluded.last_id THEN excluded.unread ELSE 0 END";

const maxTrackedMembers = 300;

// A message may come late (moderation approved it, or it was imported): it then moves nothing back.
const moveOnConflict = `ON CONFLICT (app_id, uid, conversation_id) DO UPDATE SET
  updated_at = max(updated_at, excluded.updated_at), last_id = max(coalesce(last_id, 0), excluded.last_id),
  ${addUnread}, is_hidden = 0`;

// Settings are said to choose what moves a conversation on, not what counts as unread.
const countOnConflict = `ON CONFLICT (app_id, uid, conversation_id) DO UPDATE SET ${addUnread}`;

function positions(message: Message) {
  return [message.sentAt, message.sentAt, Number(message.id)];
}

// The ids up to which a message that begins a conversation leaves it read and delivered.
function before({ id }: Message) {
  return [Number(id) - 1, Number(id) - 1];
}

/** Lists the categories that count as unread (assumed). */
export const countedCategories: readonly string[] = ["message", "custom", "interactive"];

/** Returns by how much a new message raises the unread count of its recipients. */
function unreadIncrease(message: Message) {
  return countedCategories.includes(message.category) ? 1 : 0;
}

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
  return db.count("SELECT sum(unread) AS n FROM conversations WHERE app_id = ? AND uid = ?", appId, uid);
}
