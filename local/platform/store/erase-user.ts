import { condition } from "./condition.ts";
import type { AppData } from "./database.ts";
import { eraseKeyed } from "./erase-keyed.ts";
import { countMembers, findGroup, putGroup } from "./groups.ts";
import { removeFlagsOf } from "./message-copies.ts";
import { recountReactions } from "./message-marks.ts";
import { findMessage } from "./messages.ts";
import { purgeConversation, purgeMessages } from "./purge.ts";
import { deleteRows } from "./rows.ts";
import { systemUser } from "./users.ts";

/**
 * With all that is theirs: a later user of this uid finds nothing. Call histories, logs and the messages of
 * others still name them.
 */
export function eraseUser(data: AppData, uid: string): void {
  const { db, appId } = data;
  const guids = db.values<string>(
    `SELECT guid FROM members WHERE app_id = ? AND uid = ?
     UNION SELECT guid FROM groups WHERE app_id = ? AND json_extract(body, '$.owner') = ?`,
    ...[appId, uid, appId, uid],
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
