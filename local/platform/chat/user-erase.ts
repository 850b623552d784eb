import type { AppCall } from "../http/route.ts";
import { deleteConversations } from "../store/conversations.ts";
import { countMembers, findGroup, putGroup } from "../store/groups.ts";
import { deleteMessagesOf } from "../store/messages.ts";
import { text } from "../store/row.ts";

/** Removes what hangs on a user: tokens and memberships, friends, blocks, conversations, with `permanent` also their messages. */
export function eraseUserTraces(call: AppCall, uid: string, options: { permanent: boolean }): void {
  const { db, app } = call;
  db.run("DELETE FROM auth_tokens WHERE app_id = ? AND uid = ?", app.appId, uid);
  db.run("DELETE FROM banned_users WHERE app_id = ? AND uid = ?", app.appId, uid);
  db.run("DELETE FROM friends WHERE app_id = ? AND (uid = ? OR friend = ?)", app.appId, uid, uid);
  db.run("DELETE FROM blocks WHERE app_id = ? AND (uid = ? OR blocked = ?)", app.appId, uid, uid);
  for (const table of ["saved_messages", "conversations", "thread_subscribers"]) {
    db.run(`DELETE FROM ${table} WHERE app_id = ? AND uid = ?`, app.appId, uid);
  }
  const guids = db
    .all("SELECT guid FROM members WHERE app_id = ? AND uid = ?", app.appId, uid)
    .map((row) => text(row, "guid"));
  db.run("DELETE FROM members WHERE app_id = ? AND uid = ?", app.appId, uid);
  for (const guid of guids) {
    const group = findGroup(db, app.appId, guid);
    if (group !== undefined) {
      putGroup(db, app.appId, { ...group, membersCount: countMembers(db, app.appId, guid) });
    }
  }
  if (!options.permanent) return;
  const conversationIds = db
    .all(
      `SELECT DISTINCT conversation_id FROM messages
       WHERE app_id = ? AND receiver_type = 'user' AND (sender = ? OR receiver = ?)`,
      app.appId,
      uid,
      uid,
    )
    .map((row) => text(row, "conversation_id"));
  for (const conversationId of conversationIds) {
    deleteMessagesOf(db, app.appId, conversationId);
    deleteConversations(db, app.appId, conversationId, undefined);
  }
  db.run("DELETE FROM messages WHERE app_id = ? AND sender = ?", app.appId, uid);
}
