import { messageNotFound } from "../errors/failures.ts";
import { PlatformError } from "../errors/platform-error.ts";
import { nowSeconds, type Services } from "../services/services.ts";
import type { App } from "../store/apps.ts";
import {
  type Conversation,
  findConversation,
  lastMessageId,
  putConversation,
} from "../store/conversations.ts";
import { findGroup, findMember } from "../store/groups.ts";
import { findMessage, type Message } from "../store/messages.ts";
import { groupConversationId, userConversationId } from "../wire/show.ts";

/** Names the other side of a conversation: a user or a group. */
export type Peer = { type: "user" | "group"; id: string };

/** Gives the id of the conversation a user has with a peer. */
export function conversationIdWith(uid: string, peer: Peer): string {
  return peer.type === "group" ? groupConversationId(peer.id) : userConversationId(uid, peer.id);
}

/**
 * Finds a user's conversation. One that the user deleted is there again with the next message.
 * @throws PlatformError ERR_CONVERSATION_NOT_ACCESSIBLE
 * @see docs/platform/conversations.md#life-of-a-conversation
 */
export function requireConversation(
  services: Services,
  app: App,
  uid: string,
  conversationId: string,
): Conversation {
  const found =
    findConversation(services.db, app.appId, uid, conversationId) ??
    openUntracked(services, app, uid, conversationId);
  if (found !== undefined && !found.isHidden) return found;
  throw new PlatformError(
    "ERR_CONVERSATION_NOT_ACCESSIBLE",
    `The conversation ${conversationId} is not accessible for the user ${uid}.`,
  );
}

/** Finds the message that a mark names and checks that it is in the conversation. @throws PlatformError ERR_MESSAGE_ID_NOT_FOUND */
export function requireMessageIn(services: Services, app: App, conversationId: string, id: string): Message {
  const message = findMessage(services.db, app.appId, id);
  if (message === undefined || message.conversationId !== conversationId) throw messageNotFound();
  return message;
}

// In groups above 300 members nothing is kept per user until the user asks; then all is read.
function openUntracked(
  services: Services,
  app: App,
  uid: string,
  conversationId: string,
): Conversation | undefined {
  if (!conversationId.startsWith("group_")) return undefined;
  const guid = conversationId.slice("group_".length);
  if (findGroup(services.db, app.appId, guid) === undefined) return undefined;
  if (findMember(services.db, app.appId, guid, uid) === undefined) return undefined;
  const lastId = lastMessageId(services.db, app.appId, conversationId);
  if (lastId === 0) return undefined;
  const at = nowSeconds(services);
  const opened: Conversation = {
    uid,
    conversationId,
    type: "group",
    peer: guid,
    createdAt: at,
    updatedAt: findMessage(services.db, app.appId, String(lastId))?.sentAt ?? at,
    lastId,
    unread: 0,
    readId: lastId,
    deliveredId: lastId,
    clearedId: 0,
    isHidden: false,
  };
  putConversation(services.db, app.appId, opened);
  return opened;
}
