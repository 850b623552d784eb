import { badRequest } from "../errors/platform-error.ts";
import { movesConversation } from "./apps.ts";
import { type AppData, findRow, putRow } from "./database.ts";
import { isKeptFromNobody } from "./message-access.ts";
import type { Message } from "./messages.ts";
import { type Condition, equals, forValue, ofApp, type Query, tagCondition, when } from "./query.ts";
import { type Part, systemUser, type Window } from "./users.ts";

/** `peer`: a uid or guid; `…Id`: the last messages read, received and deleted. Times are unix seconds. */
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
  /** Hidden until the next message. */
  isHidden: boolean;
  pinnedAt?: number | undefined;
  tags?: string[] | undefined;
};

/**
 * A message that moves no conversation becomes the last only of a new one. Skips groups above 300 members.
 * @see docs/internals/platform/conversations.md#life-of-a-conversation
 * @see docs/internals/platform/ids-and-limits.md#quantities
 */
export function recordInConversations({ db, appId }: AppData, message: Message): void {
  const isMoving = movesConversation({ db, appId }, message);
  if (!isMoving && message.category === "action" && message.type === "message") return;
  const { sender, receiver, receiverType, conversationId, sentAt } = message;
  const pairs = [
    [sender, receiver],
    [receiver, sender],
  ].filter(([uid]) => uid !== systemUser.uid);
  const isGroup = receiverType === "group";
  db.run(
    `INSERT INTO conversations (app_id, uid, conversation_id, type, peer, created_at, updated_at, last_id, unread,
       read_id, delivered_id)
     SELECT ?, uid, ?, ?, peer, ?, ?, ?, CASE uid WHEN ? THEN 0 ELSE ? END, ?, ?
     FROM (${isGroup ? trackedMembers : parties}) WHERE true ${isMoving ? moveOnConflict : countOnConflict}`,
    appId,
    conversationId,
    receiverType,
    sentAt,
    sentAt,
    Number(message.id),
    sender,
    countedCategories.includes(message.category) ? 1 : 0,
    ...before(message),
    ...(isGroup ? [appId, receiver] : [JSON.stringify(pairs)]),
  );
}

const trackedMembers = `SELECT uid, guid AS peer FROM members WHERE app_id = ? AND guid = ? AND
  (SELECT members_count FROM groups WHERE groups.app_id = members.app_id AND groups.guid = members.guid) <= 300`;

const parties = "SELECT value ->> 0 AS uid, value ->> 1 AS peer FROM json_each(?)";

export function openForSender(data: AppData, message: Message): void {
  const { sender, receiver, conversationId, sentAt } = message;
  if (message.receiverType === "group" || sender === systemUser.uid) return;
  const [readId, deliveredId] = before(message);
  const times = { createdAt: sentAt, updatedAt: sentAt };
  const row = { uid: sender, conversationId, type: "user", peer: receiver, ...times, readId, deliveredId };
  putRow(data, "conversations", row, "IGNORE");
}

export function findConversation(
  data: AppData,
  uid: string,
  conversationId: string,
): Conversation | undefined {
  return findRow(data, "conversations", { uid, conversationId });
}

export function putConversation(data: AppData, conversation: Conversation): void {
  putRow(data, "conversations", conversation);
}

export function clearForAll(
  { db, appId }: AppData,
  { conversationId, uid, peer }: Conversation,
  clearing: { upTo: number; isHidden: boolean },
): void {
  db.run(
    `UPDATE conversations SET unread = 0, read_id = ?, delivered_id = ?, cleared_id = ?, is_hidden = max(is_hidden, ?)
     WHERE app_id = ? AND conversation_id = ? AND (type = 'group' OR uid IN (?, ?))`,
    clearing.upTo,
    clearing.upTo,
    clearing.upTo,
    clearing.isHidden ? 1 : 0,
    appId,
    conversationId,
    uid,
    peer,
  );
}

export function countPinned({ db, appId }: AppData, uid: string): number {
  return db.count(
    "SELECT count(*) AS n FROM conversations WHERE app_id = ? AND uid = ? AND pinned_at IS NOT NULL",
    appId,
    uid,
  );
}

export function lastMessageId({ db, appId }: AppData, conversationId: string): number {
  return db.count(
    `SELECT id FROM messages WHERE app_id = ? AND conversation_id = ? AND NOT (category = 'action' AND type = 'message')
     ORDER BY id DESC LIMIT 1`,
    appId,
    conversationId,
  );
}

export function countUnread(
  { db, appId }: AppData,
  conversation: Pick<Conversation, "uid" | "conversationId">,
  afterId: number,
): number {
  return db.count(
    `SELECT count(*) AS n FROM messages WHERE app_id = ? AND conversation_id = ? AND id > ? AND sender <> ?
       AND (receiver_type = 'group' OR receiver = ?) AND ${isCounted}`,
    appId,
    conversation.conversationId,
    afterId,
    conversation.uid,
    conversation.uid,
  );
}

const addUnread = "unread = unread + CASE WHEN read_id < excluded.last_id THEN excluded.unread ELSE 0 END";

// A late message does not move a conversation back.
const moveOnConflict = `ON CONFLICT (app_id, uid, conversation_id) DO UPDATE SET
  updated_at = max(updated_at, excluded.updated_at), last_id = max(coalesce(last_id, 0), excluded.last_id),
  ${addUnread}, is_hidden = 0`;

// The settings choose what moves a conversation, not what counts.
const countOnConflict = `ON CONFLICT (app_id, uid, conversation_id) DO UPDATE SET ${addUnread}`;

function before({ id }: Message) {
  return [Number(id) - 1, Number(id) - 1];
}

/** Assumed. */
export const countedCategories: readonly string[] = ["message", "custom", "interactive"];

const isCounted = `deleted_at IS NULL AND ${isKeptFromNobody}
  AND category IN (${countedCategories.map((name) => `'${name}'`).join(", ")})`;

export function forgetUnread({ db, appId }: AppData, message: Message): void {
  if (!countedCategories.includes(message.category)) return;
  db.run(
    `UPDATE conversations SET unread = unread - 1
     WHERE app_id = ? AND conversation_id = ? AND uid <> ? AND (type = 'group' OR uid = ?) AND read_id < ?
       AND unread > 0`,
    appId,
    message.conversationId,
    message.sender,
    message.receiver,
    Number(message.id),
  );
}

export function forgetAllUnread({ db, appId }: AppData, gone: Condition): void {
  const { sql, values } = ofApp(appId, [gone]);
  db.run(
    `UPDATE conversations SET unread = max(0, unread - (SELECT count(*) FROM messages
       WHERE ${sql} AND conversation_id = conversations.conversation_id AND id > conversations.read_id
         AND sender <> conversations.uid AND (receiver_type = 'group' OR receiver = conversations.uid)
         AND ${isCounted}))
     WHERE app_id = ? AND unread > 0 AND conversation_id IN (SELECT conversation_id FROM messages WHERE ${sql})`,
    ...values,
    appId,
    ...values,
  );
}

export function sumUnread({ db, appId }: AppData, uid: string): number {
  return db.count("SELECT sum(unread) AS n FROM conversations WHERE app_id = ? AND uid = ?", appId, uid);
}

/** Lists the newest first, without hidden ones; without `uid` all users', by uid. */
export function selectConversations(
  { db, appId }: AppData,
  query: Query,
  { uid, limit, offset }: Window & { uid: string | undefined },
): Part<Conversation> {
  const { sql, values } = ofApp(appId, [...equals("uid", uid), ...conditionsOf(query)]);
  const total = db.count(`SELECT count(*) FROM conversations WHERE ${sql}`, ...values);
  const items = db.rows<Conversation>(
    `SELECT * FROM conversations WHERE ${sql}
       ORDER BY ${uid === undefined ? "uid, " : ""}updated_at DESC, peer LIMIT ? OFFSET ?`,
    ...values,
    limit,
    offset,
  );
  return { items, total };
}

function conditionsOf(query: Query) {
  const type = query.text("conversationType");
  if (type !== undefined && type !== "user" && type !== "group") {
    throw badRequest({ conversationType: "The conversationType must be user or group." });
  }
  const peers = [
    ...ofPeer("user", tagCondition(query.list("userTags"), "other.body, '$.tags'")),
    ...ofPeer("group", tagCondition(query.list("groupTags"), "other.body, '$.tags'")),
  ];
  const name = forValue(query.text("searchKey") || undefined, "instr(lower(other.name), lower(?)) > 0");
  return [
    ...when(true, "is_hidden = 0"),
    ...equals("type", type),
    ...when(query.flag("unread"), "unread > 0"),
    ...tagCondition(query.list("tags"), "tags"),
    ...anyOf(peers),
    ...anyOf([...ofPeer("user", name), ...ofPeer("group", name)]),
  ];
}

function anyOf(conditions: readonly Condition[]) {
  if (conditions.length === 0) return [];
  const sql = `(${conditions.map((condition) => condition.sql).join(" OR ")})`;
  return [{ sql, values: conditions.flatMap(({ values }) => values) }];
}

function ofPeer(type: "user" | "group", conditions: readonly Condition[]) {
  const [table, key] = type === "user" ? ["users", "uid"] : ["groups", "guid"];
  return conditions.map(({ sql, values }) => ({
    sql: `(type = '${type}' AND EXISTS (SELECT 1 FROM ${table} AS other
      WHERE other.app_id = conversations.app_id AND other.${key} = conversations.peer AND ${sql}))`,
    values,
  }));
}
