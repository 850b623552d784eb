import { badRequest, PlatformError } from "../errors/platform-error.ts";
import { type Reply, reply } from "../http/reply.ts";
import type { AppRequest } from "../http/route.ts";
import { isJsonObject, type JsonObject } from "../json.ts";
import { nowSeconds } from "../services/services.ts";
import { type Conversation, countPinned, putConversation } from "../store/conversations.ts";
import { systemUser } from "../store/users.ts";
import {
  conversationIdWith,
  findGlobalPin,
  type GlobalPin,
  listGlobalPins,
  type Peer,
  putGlobalPins,
} from "./conversation-lookup.ts";
import { showPeer } from "./conversation-view.ts";
import { requireGroupByGuid } from "./group-lookup.ts";
import { requireUserByUid } from "./user-lookup.ts";

/** Answers GET /conversations/pinned, in display order. */
export function listPinned(request: AppRequest): Reply {
  return reply(listGlobalPins(request).map((pin) => showGlobalPin(request, pin)));
}

/**
 * Answers PUT /conversations/pinned: the body is the final list.
 * @see docs/platform/conversations.md#pinned-conversations
 */
export function replacePinned(request: AppRequest): Reply {
  const { pinnedConversations } = request.body;
  if (!Array.isArray(pinnedConversations)) {
    throw badRequest({
      pinnedConversations: "The pinnedConversations field is required and must be an array.",
    });
  }
  const before = listGlobalPins(request);
  const pins: GlobalPin[] = [];
  for (const item of pinnedConversations) {
    const peer = readPeer(request, item);
    if (findGlobalPin(pins, peer) !== undefined) continue;
    pins.push({ ...peer, pinnedAt: findGlobalPin(before, peer)?.pinnedAt ?? nowSeconds(request) });
  }
  if (pins.length > maxPins) {
    throw new PlatformError(
      "ERR_SYSTEM_PINNED_CONVERSATIONS_LIMIT_EXCEEDED",
      `At most ${maxPins} conversations can be pinned for the app.`,
    );
  }
  putGlobalPins(request, pins);
  return listPinned(request);
}

/** Pins a conversation for the acting user and answers the pin. */
export function pinConversation(request: AppRequest, conversation: Conversation): Reply {
  refuseGlobalPin(request, conversation);
  if (conversation.pinnedAt === undefined) {
    if (countPinned(request, conversation.uid) >= maxPins) {
      throw new PlatformError(
        "ERR_PINNED_CONVERSATIONS_LIMIT_EXCEEDED",
        `The user ${conversation.uid} has pinned ${maxPins} conversations already.`,
      );
    }
    putConversation(request, { ...conversation, pinnedAt: nowSeconds(request) });
  }
  return reply({
    ...identity(conversation),
    pinnedBy: conversation.uid,
    pinnedAt: conversation.pinnedAt ?? nowSeconds(request),
  });
}

/** Unpins a conversation for the acting user. */
export function unpinConversation(request: AppRequest, conversation: Conversation): Reply {
  refuseGlobalPin(request, conversation);
  putConversation(request, { ...conversation, pinnedAt: undefined });
  return reply(identity(conversation));
}

function refuseGlobalPin(request: AppRequest, { conversationId, type, peer }: Conversation): void {
  if (findGlobalPin(listGlobalPins(request), { type, id: peer }) === undefined) return;
  throw new PlatformError(
    "ERR_SYSTEM_PINNED_CONVERSATION",
    `The conversation ${conversationId} is pinned for the app; a user cannot pin or unpin it.`,
  );
}

function readPeer(request: AppRequest, item: unknown): Peer {
  if (isJsonObject(item) && typeof item.uid === "string") {
    return { type: "user", id: requireUserByUid(request, item.uid).uid };
  }
  if (isJsonObject(item) && typeof item.guid === "string") {
    return { type: "group", id: requireGroupByGuid(request, item.guid).guid };
  }
  throw badRequest({ pinnedConversations: "Each entry needs a uid or a guid." });
}

// A pin of a user names the conversation that the app itself, app_system, has with them (assumed).
function showGlobalPin(request: AppRequest, { pinnedAt, ...peer }: GlobalPin): JsonObject {
  return {
    conversationId: conversationIdWith(systemUser.uid, peer),
    conversationType: peer.type,
    conversationWith: showPeer(request, peer, { withTags: false }),
    pinnedBy: systemUser.uid,
    pinnedAt,
  };
}

function identity({ conversationId, type }: Conversation): JsonObject {
  return { conversationId, conversationType: type };
}

// The same for a user and for the app (docs/platform/ids-and-limits.md#quantities).
const maxPins = 5;
