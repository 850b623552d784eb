import { badRequest, ensure, PlatformError } from "../errors/platform-error.ts";
import type { AppRequest } from "../http/route.ts";
import { defined, type JsonObject, objectsOf } from "../json.ts";
import { type AppServices, nowSeconds } from "../services/services.ts";
import {
  type Conversation,
  countPinned,
  findConversation,
  lastMessageId,
  putConversation,
} from "../store/conversations.ts";
import { type AppData, getDocument, putDocument } from "../store/database.ts";
import { findGroup, findMember } from "../store/groups.ts";
import { isKeptFrom } from "../store/message-access.ts";
import { findMessage } from "../store/messages.ts";
import { findUser, systemUser } from "../store/users.ts";
import { groupConversationId, showGroup, showUser, userConversationId } from "../wire/show.ts";
import { blockFields, type Party, requireGroupByGuid, requireUserByUid } from "./lookup.ts";
import { presentMessages } from "./message-view.ts";

/** @see docs/internals/platform/conversations.md#shape-of-a-conversation */
export function presentConversations(
  request: AppRequest,
  conversations: readonly Conversation[],
  options: { withTags: boolean; withPeerTags: boolean },
): JsonObject[] {
  const globalPins = listGlobalPins(request);
  return conversations.map((conversation) => {
    const { uid, lastId = 0, clearedId, type, peer, tags } = conversation;
    const last = lastId > clearedId ? findMessage(request, String(lastId)) : undefined;
    const isShown = last !== undefined && last.deletedAt === undefined && !isKeptFrom(request, uid, last);
    const [lastMessage] = presentMessages(request, isShown ? [last] : []);
    return {
      conversationId: conversation.conversationId,
      conversationType: type,
      unreadMessageCount: String(conversation.unread),
      createdAt: conversation.createdAt,
      updatedAt: conversation.updatedAt,
      ...defined({ lastMessage }),
      conversationWith: showPeer(
        request,
        { type, id: peer },
        { viewerUid: uid, withTags: options.withPeerTags },
      ),
      ...(options.withTags && defined({ tags })),
      ...pinFields(conversation, globalPins),
    };
  });
}

function showPeer(request: AppRequest, peer: Party, options: { viewerUid?: string; withTags: boolean }) {
  const { viewerUid, withTags } = options;
  if (peer.type === "group") {
    const group = findGroup(request, peer.id);
    if (group === undefined) return { guid: peer.id };
    const membership = viewerUid === undefined ? undefined : findMember(request, group.guid, viewerUid);
    return showGroup(group, membership, withTags);
  }
  const user = peer.id === systemUser.uid ? systemUser : findUser(request, peer.id);
  if (user === undefined) return { uid: peer.id };
  return {
    ...showUser(user, viewerUid, withTags),
    ...(viewerUid !== undefined && blockFields(request, viewerUid, user.uid)),
  };
}

function pinFields(conversation: Conversation, globalPins: readonly GlobalPin[]) {
  const pin = findGlobalPin(globalPins, { type: conversation.type, id: conversation.peer });
  if (pin !== undefined) return { pinnedBy: systemUser.uid, pinnedAt: pin.pinnedAt };
  if (conversation.pinnedAt === undefined) return {};
  return { pinnedBy: conversation.uid, pinnedAt: conversation.pinnedAt };
}

export function conversationIdWith(uid: string, peer: Party): string {
  return peer.type === "group" ? groupConversationId(peer.id) : userConversationId(uid, peer.id);
}

/** @see docs/internals/platform/conversations.md#life-of-a-conversation */
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

// In groups above 300 members nothing is kept per user until then; all messages count as read.
function openUntracked(services: AppServices, uid: string, conversationId: string) {
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

/** `pinnedAt` is in unix seconds. */
type GlobalPin = Party & { pinnedAt: number };

function listGlobalPins(data: AppData) {
  return getDocument<{ pins: GlobalPin[] }>(data, globalPinKind, "all")?.pins ?? [];
}

function findGlobalPin(pins: readonly GlobalPin[], peer: Party) {
  return pins.find((pin) => pin.type === peer.type && pin.id === peer.id);
}

const globalPinKind = "global-pins";

export function listPinned(request: AppRequest): JsonObject[] {
  return listGlobalPins(request).map(({ pinnedAt, ...peer }) => ({
    conversationId: conversationIdWith(systemUser.uid, peer),
    conversationType: peer.type,
    conversationWith: showPeer(request, peer, { withTags: false }),
    pinnedBy: systemUser.uid,
    pinnedAt,
  }));
}

/** @see docs/internals/platform/conversations.md#pinned-conversations */
export function replacePinned(request: AppRequest): JsonObject[] {
  const before = listGlobalPins(request);
  const pins: GlobalPin[] = [];
  for (const item of objectsOf(request.body.pinnedConversations)) {
    const peer = readPeer(request, item);
    if (findGlobalPin(pins, peer) !== undefined) continue;
    pins.push({ ...peer, pinnedAt: findGlobalPin(before, peer)?.pinnedAt ?? nowSeconds(request) });
  }
  ensure(
    pins.length <= maxPins,
    "ERR_SYSTEM_PINNED_CONVERSATIONS_LIMIT_EXCEEDED",
    `At most ${maxPins} conversations can be pinned for the app.`,
  );
  putDocument(request, globalPinKind, "all", { pins });
  return listPinned(request);
}

export function pinConversation(request: AppRequest, conversation: Conversation): JsonObject {
  refuseGlobalPin(request, conversation);
  if (conversation.pinnedAt === undefined) {
    ensure(
      countPinned(request, conversation.uid) < maxPins,
      "ERR_PINNED_CONVERSATIONS_LIMIT_EXCEEDED",
      `The user ${conversation.uid} has pinned ${maxPins} conversations already.`,
    );
    putConversation(request, { ...conversation, pinnedAt: nowSeconds(request) });
  }
  return {
    ...identity(conversation),
    pinnedBy: conversation.uid,
    pinnedAt: conversation.pinnedAt ?? nowSeconds(request),
  };
}

export function unpinConversation(request: AppRequest, conversation: Conversation): JsonObject {
  refuseGlobalPin(request, conversation);
  putConversation(request, { ...conversation, pinnedAt: undefined });
  return identity(conversation);
}

function refuseGlobalPin(request: AppRequest, { conversationId, type, peer }: Conversation) {
  if (findGlobalPin(listGlobalPins(request), { type, id: peer }) === undefined) return;
  throw new PlatformError(
    "ERR_SYSTEM_PINNED_CONVERSATION",
    `The conversation ${conversationId} is pinned for the app; a user cannot pin or unpin it.`,
  );
}

function readPeer(request: AppRequest, { uid, guid }: JsonObject): Party {
  if (typeof uid === "string") return { type: "user", id: requireUserByUid(request, uid).uid };
  if (typeof guid === "string") return { type: "group", id: requireGroupByGuid(request, guid).guid };
  throw badRequest({ pinnedConversations: "Each entry needs a uid or a guid." });
}

function identity({ conversationId, type }: Conversation) {
  return { conversationId, conversationType: type };
}

// Equal for a user and the app (docs/internals/platform/ids-and-limits.md#quantities).
const maxPins = 5;
