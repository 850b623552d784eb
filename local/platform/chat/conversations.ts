import { PlatformError } from "../errors/platform-error.ts";
import { optionalFlag, optionalTags } from "../http/fields.ts";
import { acknowledge, type Reply, reply } from "../http/reply.ts";
import type { AppRequest, AppRoute } from "../http/route.ts";
import {
  type Conversation,
  clearForAll,
  conversationExists,
  lastMessageId,
  putConversation,
} from "../store/conversations.ts";
import { deleteMessagesOf } from "../store/messages.ts";
import { listConversations } from "./conversation-list.ts";
import { conversationIdWith, requireConversation } from "./conversation-lookup.ts";
import { markConversation, markUnread } from "./conversation-marks.ts";
import { listPinned, pinConversation, replacePinned, unpinConversation } from "./conversation-pins.ts";
import { presentConversations } from "./conversation-view.ts";
import { requireGroup } from "./group-lookup.ts";
import { requireActor } from "./message-access.ts";
import { requireUser } from "./user-lookup.ts";

const base = {
  fidelity: "documented",
  source: "docs/platform/conversations.md#conversations",
  onBehalfOf: "required",
} as const;
const both = [
  { type: "user", ids: "", path: "/users/{uid}/conversation" },
  { type: "group", ids: "group-", path: "/groups/{guid}/conversation" },
] as const;

/** Declares the conversation family. */
export const conversationRoutes: readonly AppRoute[] = [
  {
    ...base,
    operationId: "list-all-conversations",
    method: "GET",
    path: "/conversations",
    onBehalfOf: "optional",
    assumptions: [
      "Newest first; pinned conversations have no place of their own.",
      "userTags and groupTags let a conversation in when either fits.",
      "Edits and deletions do not move a conversation, membership changes do.",
      "A user who leaves a group loses its conversation.",
    ],
    handler: listConversations,
  },
  {
    ...base,
    operationId: "get-conversation",
    method: "GET",
    path: "/conversations/{conversationId}",
    handler: (request) => show(request, requireById(request)),
  },
  {
    ...base,
    operationId: "delete-conversation",
    method: "DELETE",
    path: "/conversations/{conversationId}",
    assumptions: ["The messages stay stored, out of every user's sight."],
    handler: deleteForAll,
  },
  {
    ...base,
    operationId: "list-global-pinned-conversations",
    method: "GET",
    path: "/conversations/pinned",
    onBehalfOf: "unsupported",
    assumptions: ["A pinned user's conversationId is the one with app_system; conversationWith is included."],
    handler: listPinned,
  },
  {
    ...base,
    operationId: "replace-global-pinned-conversations",
    method: "PUT",
    path: "/conversations/pinned",
    onBehalfOf: "unsupported",
    assumptions: ["A conversation that stays keeps its pinnedAt.", "Repeats do not count towards the limit."],
    handler: replacePinned,
  },
  ...both.flatMap(({ type, ids, path }): AppRoute[] => [
    {
      ...base,
      operationId: `get-${type}-conversations`,
      method: "GET",
      path,
      handler: (request) => show(request, requireOwn(request, type)),
    },
    {
      ...base,
      operationId: `update-${type}-conversation`,
      input: { needs: { any: ["tags"] } },
      method: "PUT",
      path,
      handler: (request) => updateTags(request, requireOwn(request, type)),
    },
    {
      ...base,
      operationId: `reset-${type}-conversation`,
      input: { body: { conversationWith: "string" } },
      method: "DELETE",
      path,
      assumptions: [
        "The user's unread count goes to 0 and earlier messages are out of their sight.",
        "With preserveOrder it stays in the list, without lastMessage; else it is back with the next message.",
        "deleteMessagesPermanently removes the messages for both users; conversationWith is not looked at.",
      ],
      handler: (request) => resetConversation(request, requireOwn(request, type)),
    },
    {
      ...base,
      operationId: `pin-${type}-conversation`,
      method: "POST",
      path: `${path}/pin`,
      assumptions: ["A conversation without a message cannot be pinned: ERR_CONVERSATION_NOT_ACCESSIBLE."],
      handler: (request) => pinConversation(request, requireOwn(request, type)),
    },
    {
      ...base,
      operationId: `unpin-${type}-conversation`,
      method: "DELETE",
      path: `${path}/pin`,
      handler: (request) => unpinConversation(request, requireOwn(request, type)),
    },
    {
      ...base,
      operationId: `mark-${ids}conversation-as-delivered`,
      method: "POST",
      path: `${path}/delivered`,
      handler: (request) => markConversation(request, requireOwn(request, type), "delivered"),
    },
    {
      ...base,
      operationId: `mark-${ids}conversation-as-read`,
      method: "POST",
      path: `${path}/read`,
      assumptions: ["Reading includes delivery."],
      handler: (request) => markConversation(request, requireOwn(request, type), "read"),
    },
    {
      ...base,
      operationId: `mark-${ids}conversation-as-unread`,
      method: "DELETE",
      path: `${path}/read`,
      assumptions: ["Without messageId all of the conversation is unread again."],
      handler: (request) => markUnread(request, requireOwn(request, type)),
    },
  ]),
];

// The path names a user or a group; the acting user's conversation with them is meant.
function requireOwn(request: AppRequest, type: "user" | "group"): Conversation {
  const actor = requireActor(request);
  const peer = { type, id: type === "group" ? requireGroup(request).guid : requireUser(request).uid };
  return requireConversation(request, request.app, actor.uid, conversationIdWith(actor.uid, peer));
}

function requireById(request: AppRequest): Conversation {
  const conversationId = request.param("conversationId");
  if (!conversationExists(request.db, request.app.appId, conversationId)) {
    throw new PlatformError(
      "ERR_CONVERSATION_NOT_FOUND",
      `The conversation ${conversationId} does not exist.`,
    );
  }
  return requireConversation(request, request.app, requireActor(request).uid, conversationId);
}

function show(request: AppRequest, conversation: Conversation): Reply {
  const [shown] = presentConversations(request, [conversation], { withTags: true, withPeerTags: true });
  return reply(request.switches.singleConversationForm === "array" ? [shown] : shown);
}

function updateTags(request: AppRequest, conversation: Conversation): Reply {
  const tags = optionalTags(request.body) ?? conversation.tags;
  const changed = { ...conversation, tags };
  putConversation(request.db, request.app.appId, changed);
  return show(request, changed);
}

function resetConversation(request: AppRequest, conversation: Conversation): Reply {
  const { conversationId, uid } = conversation;
  const lastId = lastMessageId(request.db, request.app.appId, conversationId);
  const isPermanent =
    conversation.type === "user" && optionalFlag(request.body, "deleteMessagesPermanently") === true;
  request.db.transaction(() => {
    if (isPermanent) {
      deleteMessagesOf(request.db, request.app.appId, conversationId);
      clearForAll(request.db, request.app.appId, conversationId, { upTo: lastId, isHidden: false });
    }
    putConversation(request.db, request.app.appId, {
      ...conversation,
      unread: 0,
      readId: lastId,
      deliveredId: lastId,
      clearedId: lastId,
      isHidden: optionalFlag(request.body, "preserveOrder") !== true,
    });
  });
  return acknowledge(`The conversation ${conversationId} has been deleted successfully for UID ${uid}.`);
}

function deleteForAll(request: AppRequest): Reply {
  const { conversationId } = requireById(request);
  const upTo = lastMessageId(request.db, request.app.appId, conversationId);
  clearForAll(request.db, request.app.appId, conversationId, { upTo, isHidden: true });
  return acknowledge(`The conversation ${conversationId} has been deleted successfully for all the users.`);
}
