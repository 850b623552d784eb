import { messageNotFound, PlatformError } from "../errors/platform-error.ts";
import { isJsonObject } from "../json.ts";
import { type AppServices, nowSeconds } from "../services/services.ts";
import {
  type Conversation,
  findConversation,
  lastMessageId,
  putConversation,
} from "../store/conversations.ts";
import type { AppData } from "../store/database.ts";
import { getDocument, putDocument } from "../store/documents.ts";
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
  services: AppServices,
  uid: string,
  conversationId: string,
): Conversation {
  const found =
    findConversation(services, uid, conversationId) ?? openUntracked(services, uid, conversationId);
  if (found !== undefined && !found.isHidden) return found;
  throw new PlatformError(
    "ERR_CONVERSATION_NOT_ACCESSIBLE",
    `The conversation ${conversationId} is not accessible for the user ${uid}.`,
  );
}

/** Finds the message that a mark names and checks that it is in the conversation. @throws PlatformError ERR_MESSAGE_ID_NOT_FOUND */
export function requireMessageIn(services: AppServices, conversationId: string, id: string): Message {
  const message = findMessage(services, id);
  if (message === undefined || message.conversationId !== conversationId) throw messageNotFound();
  return message;
}

// In groups above 300 members nothing is kept per user until the user asks; then all is read.
function openUntracked(services: AppServices, uid: string, conversationId: string): Conversation | undefined {
  if (!conversationId.startsWith("group_")) return undefined;
  const guid = conversationId.slice("group_".length);
  if (findGroup(services, guid) === undefined) return undefined;
  if (findMember(services, guid, uid) === undefined) return undefined;
  const lastId = lastMessageId(services, conversationId);
  if (lastId === 0) return undefined;
  const at = nowSeconds(services);
  const opened: Conversation = {
    uid,
    conversationId,
    type: "group",
    peer: guid,
    createdAt: at,
    updatedAt: findMessage(services, String(lastId))?.sentAt ?? at,
    lastId,
    unread: 0,
    readId: lastId,
    deliveredId: lastId,
    clearedId: 0,
    isHidden: false,
  };
  putConversation(services, opened);
  return opened;
}

/** Describes a conversation pinned for the whole app. `pinnedAt` is in unix seconds. */
export type GlobalPin = Peer & { pinnedAt: number };

/** Lists the app-wide pins in display order. */
export function listGlobalPins(data: AppData): GlobalPin[] {
  const pins = getDocument(data, kind, "all")?.pins;
  return Array.isArray(pins) ? pins.filter(isGlobalPin) : [];
}

/** Replaces the app-wide pins. */
export function putGlobalPins(data: AppData, pins: readonly GlobalPin[]): void {
  putDocument(data, kind, "all", { pins });
}

/** Finds the pin of a peer, or undefined. */
export function findGlobalPin(pins: readonly GlobalPin[], peer: Peer): GlobalPin | undefined {
  return pins.find((pin) => pin.type === peer.type && pin.id === peer.id);
}

const kind = "global-pins";

function isGlobalPin(value: unknown): value is GlobalPin {
  return isJsonObject(value) && typeof value.id === "string" && typeof value.pinnedAt === "number";
}
