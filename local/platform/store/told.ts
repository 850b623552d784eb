import { findConversation } from "./conversations.ts";
import type { AppData } from "./database.ts";
import { canRead } from "./message-access.ts";
import type { Message } from "./messages.ts";
import { findActiveUser, isBlockedBy } from "./users.ts";

/**
 * Whether the platform calls a bot or notifies a user about a message, or about what `byUid` did with it. Not
 * if the user is deactivated, cannot read it, has deleted the conversation since, or blocks the other user
 * (assumed).
 */
export function isTold(data: AppData, uid: string, message: Message, byUid = message.sender): boolean {
  if (findActiveUser(data, uid) === undefined || !canRead(data, uid, message)) return false;
  if (message.receiverType === "user" && isBlockedBy(data, uid, byUid)) return false;
  return Number(message.id) > (findConversation(data, uid, message.conversationId)?.clearedId ?? 0);
}
