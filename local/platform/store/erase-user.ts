import { condition } from "./condition.ts";
import type { AppData } from "./database.ts";
import { countMembers, findGroup, putGroup } from "./groups.ts";
import { purgeConversation, purgeMessages } from "./purge.ts";
import { deleteRows } from "./rows.ts";

/** With tokens, memberships, friends, blocks, conversations and messages. */
export function eraseUser(data: AppData, uid: string): void {
  const { db, appId } = data;
  const guids = db.values<string>("SELECT guid FROM members WHERE app_id = ? AND uid = ?", appId, uid);
  for (const table of ownTables) deleteRows(data, table, { uid });
  deleteRows(data, "friends", { friend: uid });
  deleteRows(data, "blocks", { blocked: uid });
  for (const guid of guids) {
    const group = findGroup(data, guid);
    if (group !== undefined) putGroup(data, { ...group, membersCount: countMembers(data, guid) });
  }
  const conversationIds = db.values<string>(
    `SELECT DISTINCT conversation_id FROM messages
       WHERE app_id = ? AND receiver_type = 'user' AND (sender = ? OR receiver = ?)`,
    appId,
    uid,
    uid,
  );
  for (const conversationId of conversationIds) {
    purgeConversation(data, conversationId);
    deleteRows(data, "conversations", { conversationId });
  }
  purgeMessages(data, condition("sender = ?", uid));
  deleteRows(data, "users", { uid });
}

// Tables with a column `uid`.
const ownTables = [
  "auth_tokens",
  "banned_users",
  "friends",
  "blocks",
  "saved_messages",
  "conversations",
  "thread_subscribers",
  "members",
];
