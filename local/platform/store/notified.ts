import { findConversation } from "./conversations.ts";
import type { AppData } from "./database.ts";
import { canRead } from "./message-access.ts";
import type { Message } from "./messages.ts";
import { findActiveUser, isBlockedBy } from "./users.ts";

/**
 * Whether a bot is called or a user notified about a message, or of what `byUid` did with it. False if
 * deactivated, unable to read it, after deleting the conversation, or blocking (assumed).
 */
export function isNotified(data: AppData, uid: string, message: Message, byUid = message.sender): boolean {
  if (findActiveUser(data, uid) === undefined || !canRead(data, uid, message)) return false;
  if (message.receiverType === "user" && isBlockedBy(data, uid, byUid)) return false;
  return Number(message.id) > (findConversation(data, uid, message.conversationId)?.clearedId ?? 0);
}
