import { isJsonObject } from "../json.ts";
import { recordInConversations } from "../store/conversations.ts";
import type { Database } from "../store/database.ts";
import { removePin } from "../store/message-marks.ts";
import { findMessage, type Message, putMessage } from "../store/messages.ts";
import { countReplies, subscribe, touchThread } from "../store/threads.ts";
import { forgetUnread } from "../store/unread-counts.ts";
import { systemUser } from "../store/users.ts";

/**
 * Does what a newly stored message of any category does to the rest: conversations and unread counts and, for a reply,
 * the thread of its parent with its followers. To be done once per message, in the transaction that stores it.
 * @see docs/platform/conversations.md#life-of-a-conversation, docs/platform/messages.md#threads
 */
export function recordStored(db: Database, appId: string, message: Message): void {
  recordInConversations(db, appId, message);
  if (message.parentId === undefined) return;
  const parent = findMessage(db, appId, message.parentId);
  if (parent === undefined) return;
  putMessage(db, appId, { ...parent, replyCount: countReplies(db, appId, parent.id) });
  touchThread(db, appId, message);
  const { mentions } = message.data;
  const followers = [parent.sender, message.sender, ...(isJsonObject(mentions) ? Object.keys(mentions) : [])];
  subscribe(
    db,
    appId,
    parent.id,
    followers.filter((uid) => uid !== systemUser.uid),
  );
}

/** Does what a deletion, soft or for good, does to the rest. To be done after the deletion, in its transaction. */
export function recordDeleted(db: Database, appId: string, message: Message): void {
  forgetUnread(db, appId, message);
  removePin(db, appId, message);
  if (message.parentId === undefined) return;
  const parent = findMessage(db, appId, message.parentId);
  if (parent === undefined) return;
  putMessage(db, appId, { ...parent, replyCount: countReplies(db, appId, parent.id) });
}
