import { forgetAllUnread } from "./conversations.ts";
import { type AppData, deleteRows } from "./database.ts";
import { countMembers, findGroup, putGroup } from "./groups.ts";
import { emptyCopies, partakenBy, removeFlagsOf } from "./message-access.ts";
import { recountReactions } from "./message-marks.ts";
import { filesOf, findMessage, removeUnnamed } from "./messages.ts";
import { allOf, type Condition, condition, ofApp } from "./query.ts";
import { recountReplies } from "./threads.ts";
import { systemUser } from "./users.ts";

/** Also removes dependent rows, copies, and files that no other message has (assumed). Replies stay. */
export function purgeMessages({ db, appId }: AppData, which: Condition): void {
  const { sql, values } = ofApp(appId, [which]);
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

/** Removes a group's, or that of `uid` with another. Ids are ambiguous: see `partiesOf`. */
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
    data.appId,
    conversationId,
    uid,
    data.appId,
    conversationId,
    uid,
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

/** A later one of that id inherits nothing. `purgeConversation` removes messages. */
export function eraseKeyed(data: AppData, key: "uid" | "guid", id: string): void {
  const { db, appId } = data;
  const keyed = db.values<string>(
    `SELECT tables.name FROM sqlite_schema AS tables, pragma_table_info(tables.name) AS columns
     WHERE tables.type = 'table' AND columns.name = ?`,
    key,
  );
  for (const table of keyed) deleteRows(data, table, { [key]: id });
  eraseDocuments(data, ownKinds[key], id);
  for (const [kind, list] of listingKinds) {
    db.run(
      `UPDATE documents SET body = json_set(body, '$.${list}', (SELECT json_group_array(json(value))
         FROM json_each(body, '$.${list}') WHERE value ->> 'id' <> ? OR (value ->> 'type' = 'group') <> ?))
       WHERE app_id = ? AND kind = ?`,
      id,
      key === "guid" ? 1 : 0,
      appId,
      kind,
    );
  }
}

export function eraseDocuments({ db, appId }: AppData, kinds: readonly string[], owner: string): void {
  db.run(
    `DELETE FROM documents WHERE app_id = ? AND kind IN (SELECT value FROM json_each(?)) AND ? IN
       (substr(id, 1, instr(id || '/', '/') - 1), json_extract(body, '$.uid'), json_extract(body, '$.receiver'))`,
    appId,
    JSON.stringify(kinds),
    owner,
  );
}

/** Finds by id, its part before a slash, or the field `uid` or `receiver`. */
const ownKinds = {
  uid: [
    "agents-agent",
    "agents-byo-agent",
    "agents-script",
    "bot",
    "campaigns-feed-item",
    "campaigns-push-notification",
    "connection",
    "contact-details",
    "message-file",
    "muted-conversations",
    "notification-batch",
    "notification-preferences",
    "push-token",
    "timezone",
  ],
  guid: ["scope-permissions"],
};

const listingKinds = [
  ["global-pins", "pins"],
  ["muted-conversations", "conversations"],
] as const;

/** A later user of this uid finds nothing. Call histories, logs and others' messages still name them. */
export function eraseUser(data: AppData, uid: string): void {
  const { db, appId } = data;
  const guids = db.values<string>(
    `SELECT guid FROM members WHERE app_id = ? AND uid = ?
     UNION SELECT guid FROM groups WHERE app_id = ? AND json_extract(body, '$.owner') = ?`,
    appId,
    uid,
    appId,
    uid,
  );
  const reactedTo = db.values<number>(
    "SELECT DISTINCT message_id FROM reactions WHERE app_id = ? AND uid = ?",
    appId,
    uid,
  );
  eraseKeyed(data, "uid", uid);
  deleteRows(data, "friends", { friend: uid });
  deleteRows(data, "blocks", { blocked: uid });
  for (const guid of guids) {
    const group = findGroup(data, guid);
    if (group === undefined) continue;
    const owner = group.owner === uid ? systemUser.uid : group.owner;
    putGroup(data, { ...group, owner, membersCount: countMembers(data, guid) });
  }
  const conversationIds = db.values<string>(
    `SELECT DISTINCT conversation_id FROM messages
       WHERE app_id = ? AND receiver_type = 'user' AND (sender = ? OR receiver = ?)`,
    appId,
    uid,
    uid,
  );
  for (const conversationId of conversationIds) {
    purgeConversation(data, conversationId, uid);
    deleteRows(data, "conversations", { conversationId, peer: uid });
  }
  purgeMessages(data, condition("sender = ?", uid));
  removeFlagsOf(data, uid);
  for (const id of reactedTo) {
    const message = findMessage(data, String(id));
    if (message !== undefined) recountReactions(data, message);
  }
}
