import type { AppRequest } from "../http/route.ts";
import { defined, type JsonObject } from "../json.ts";
import type { Conversation } from "../store/conversations.ts";
import { findGroup, findMember } from "../store/groups.ts";
import { findMessage, type Message } from "../store/messages.ts";
import { findUser, systemUser } from "../store/users.ts";
import { showGroup, showUser } from "../wire/show.ts";
import { findGlobalPin, type GlobalPin, listGlobalPins, type Peer } from "./conversation-lookup.ts";
import { presentMessages } from "./message-view.ts";
import { blockFields } from "./user-lookup.ts";

/** Gives conversations as their users see them. @see docs/platform/conversations.md#shape-of-a-conversation */
export function presentConversations(
  request: AppRequest,
  conversations: readonly Conversation[],
  options: { withTags: boolean; withPeerTags: boolean },
): JsonObject[] {
  const last = conversations.map((conversation) => findLast(request, conversation));
  const found = last.filter((message) => message !== undefined);
  const shown = new Map(presentMessages(request, found).map((message, index) => [found[index]?.id, message]));
  const globalPins = listGlobalPins(request);
  return conversations.map((conversation, index) => {
    const lastMessage = shown.get(last[index]?.id);
    const { tags } = conversation;
    return {
      conversationId: conversation.conversationId,
      conversationType: conversation.type,
      // A string in every printed example.
      unreadMessageCount: String(conversation.unread),
      createdAt: conversation.createdAt,
      updatedAt: conversation.updatedAt,
      ...defined({ lastMessage }),
      conversationWith: showPeer(
        request,
        { type: conversation.type, id: conversation.peer },
        { viewerUid: conversation.uid, withTags: options.withPeerTags },
      ),
      ...(options.withTags && tags !== undefined ? { tags } : {}),
      ...pinFields(conversation, globalPins),
    };
  });
}

/** Gives the user or group a conversation is with, as `viewerUid` sees it (undefined: as the app does). */
export function showPeer(
  request: AppRequest,
  peer: Peer,
  options: { viewerUid?: string; withTags: boolean },
): JsonObject {
  const { viewerUid, withTags } = options;
  if (peer.type === "group") {
    const group = findGroup(request, peer.id);
    if (group === undefined) return { guid: peer.id };
    const membership = viewerUid === undefined ? undefined : findMember(request, group.guid, viewerUid);
    return showGroup(group, { withTags, membership });
  }
  const user = peer.id === systemUser.uid ? systemUser : findUser(request, peer.id);
  if (user === undefined) return { uid: peer.id };
  return {
    ...showUser(user, { withTags, viewerUid }),
    ...(viewerUid === undefined ? {} : blockFields(request, viewerUid, user.uid)),
  };
}

function findLast(request: AppRequest, conversation: Conversation): Message | undefined {
  const { lastId, clearedId } = conversation;
  if (lastId === undefined || lastId <= clearedId) return undefined;
  const message = findMessage(request, String(lastId));
  return message?.deletedAt === undefined ? message : undefined;
}

function pinFields(conversation: Conversation, globalPins: readonly GlobalPin[]): JsonObject {
  const pin = findGlobalPin(globalPins, { type: conversation.type, id: conversation.peer });
  if (pin !== undefined) return { pinnedBy: systemUser.uid, pinnedAt: pin.pinnedAt };
  if (conversation.pinnedAt === undefined) return {};
  return { pinnedBy: conversation.uid, pinnedAt: conversation.pinnedAt };
}
