import { deleteAuthTokensOf } from "./auth-tokens.ts";
import { deleteConversations } from "./conversations.ts";
import type { AppData } from "./database.ts";
import { countMembers, findGroup, listGuidsOf, putGroup } from "./groups.ts";
import { deleteMessagesOf } from "./messages.ts";

/** Removes what hangs on a user: tokens and memberships, friends, blocks, conversations, with `permanent` also their messages. */
export function eraseUserTraces({ db, appId }: AppData, uid: string, options: { permanent: boolean }): void {
  deleteAuthTokensOf({ db, appId }, uid);
  db.run("DELETE FROM banned_users WHERE app_id = ? AND uid = ?", appId, uid);
  db.run("DELETE FROM friends WHERE app_id = ? AND (uid = ? OR friend = ?)", appId, uid, uid);
  db.run("DELETE FROM blocks WHERE app_id = ? AND (uid = ? OR blocked = ?)", appId, uid, uid);
  for (const table of ["saved_messages", "conversations", "thread_subscribers"]) {
    db.run(`DELETE FROM ${table} WHERE app_id = ? AND uid = ?`, appId, uid);
  }
  const guids = listGuidsOf({ db, appId }, uid);
  db.run("DELETE FROM members WHERE app_id = ? AND uid = ?", appId, uid);
  for (const guid of guids) {
    const group = findGroup({ db, appId }, guid);
    if (group !== undefined) {
      putGroup({ db, appId }, { ...group, membersCount: countMembers({ db, appId }, guid) });
    }
  }
  if (!options.permanent) return;
  const conversationIds = db.values<string>(
    `SELECT DISTINCT conversation_id FROM messages
       WHERE app_id = ? AND receiver_type = 'user' AND (sender = ? OR receiver = ?)`,
    appId,
    uid,
    uid,
  );
  for (const conversationId of conversationIds) {
    deleteMessagesOf({ db, appId }, conversationId);
    deleteConversations({ db, appId }, conversationId, undefined);
  }
  db.run("DELETE FROM messages WHERE app_id = ? AND sender = ?", appId, uid);
}
