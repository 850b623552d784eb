import { badRequest, groupNotFound } from "../errors/failures.ts";
import { PlatformError } from "../errors/platform-error.ts";
import { type Reply, reply } from "../http/reply.ts";
import type { AppCall } from "../http/route.ts";
import { isJsonObject, type JsonObject } from "../json.ts";
import { nowSeconds } from "../services/services.ts";
import { type Conversation, countPinned, putConversation } from "../store/conversations.ts";
import { findGroup } from "../store/groups.ts";
import { systemUser } from "../store/users.ts";
import { conversationIdWith, type Peer } from "./conversation-lookup.ts";
import { showPeer } from "./conversation-view.ts";
import { findGlobalPin, type GlobalPin, listGlobalPins, putGlobalPins } from "./global-pins.ts";
import { requireUserByUid } from "./user-lookup.ts";

/** Answers GET /conversations/pinned, in display order. */
export function listPinned(call: AppCall): Reply {
  return reply(listGlobalPins(call.db, call.app).map((pin) => showGlobalPin(call, pin)));
}

/**
 * Answers PUT /conversations/pinned: the body is the final list.
 * @see docs/platform/conversations.md#pinned-conversations
 */
export function replacePinned(call: AppCall): Reply {
  const { pinnedConversations } = call.body;
  if (!Array.isArray(pinnedConversations)) {
    throw badRequest({
      pinnedConversations: "The pinnedConversations field is required and must be an array.",
    });
  }
  const before = listGlobalPins(call.db, call.app);
  const pins: GlobalPin[] = [];
  for (const item of pinnedConversations) {
    const peer = readPeer(call, item);
    if (findGlobalPin(pins, peer) !== undefined) continue;
    pins.push({ ...peer, pinnedAt: findGlobalPin(before, peer)?.pinnedAt ?? nowSeconds(call) });
  }
  if (pins.length > maxPins) {
    throw new PlatformError(
      "ERR_SYSTEM_PINNED_CONVERSATIONS_LIMIT_EXCEEDED",
      `At most ${maxPins} conversations can be pinned for the app.`,
    );
  }
  putGlobalPins(call.db, call.app, pins);
  return listPinned(call);
}

/** Pins a conversation for the acting user and answers the pin. */
export function pinConversation(call: AppCall, conversation: Conversation): Reply {
  refuseGlobalPin(call, conversation);
  if (conversation.pinnedAt === undefined) {
    if (countPinned(call.db, call.app.appId, conversation.uid) >= maxPins) {
      throw new PlatformError(
        "ERR_PINNED_CONVERSATIONS_LIMIT_EXCEEDED",
        `The user ${conversation.uid} has pinned ${maxPins} conversations already.`,
      );
    }
    putConversation(call.db, call.app.appId, { ...conversation, pinnedAt: nowSeconds(call) });
  }
  return reply({
    ...identity(conversation),
    pinnedBy: conversation.uid,
    pinnedAt: conversation.pinnedAt ?? nowSeconds(call),
  });
}

/** Unpins a conversation for the acting user. */
export function unpinConversation(call: AppCall, conversation: Conversation): Reply {
  refuseGlobalPin(call, conversation);
  putConversation(call.db, call.app.appId, { ...conversation, pinnedAt: undefined });
  return reply(identity(conversation));
}

function refuseGlobalPin(call: AppCall, { conversationId, type, peer }: Conversation): void {
  if (findGlobalPin(listGlobalPins(call.db, call.app), { type, id: peer }) === undefined) return;
  throw new PlatformError(
    "ERR_SYSTEM_PINNED_CONVERSATION",
    `The conversation ${conversationId} is pinned for the app; a user cannot pin or unpin it.`,
  );
}

function readPeer(call: AppCall, item: unknown): Peer {
  if (isJsonObject(item) && typeof item.uid === "string") {
    return { type: "user", id: requireUserByUid(call, item.uid).uid };
  }
  if (isJsonObject(item) && typeof item.guid === "string") {
    const group = findGroup(call.db, call.app.appId, item.guid.toLowerCase());
    if (group === undefined) throw groupNotFound(item.guid);
    return { type: "group", id: group.guid };
  }
  throw badRequest({ pinnedConversations: "Each entry needs a uid or a guid." });
}

// A pin of a user names the conversation that the app itself, app_system, has with them (assumed).
function showGlobalPin(call: AppCall, { pinnedAt, ...peer }: GlobalPin): JsonObject {
  return {
    conversationId: conversationIdWith(systemUser.uid, peer),
    conversationType: peer.type,
    conversationWith: showPeer(call, peer, { withTags: false }),
    pinnedBy: systemUser.uid,
    pinnedAt,
  };
}

function identity({ conversationId, type }: Conversation): JsonObject {
  return { conversationId, conversationType: type };
}

// The same for a user and for the app (docs/platform/ids-and-limits.md#quantities).
const maxPins = 5;
