import { PlatformError } from "../errors/platform-error.ts";
import { optionalFlag, optionalTags } from "../http/fields.ts";
import { acknowledge, type Reply, reply } from "../http/reply.ts";
import type { AppCall, AppRoute } from "../http/route.ts";
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
    handler: (call) => show(call, requireById(call)),
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
      handler: (call) => show(call, requireOwn(call, type)),
    },
    {
      ...base,
      operationId: `update-${type}-conversation`,
      method: "PUT",
      path,
      handler: (call) => updateTags(call, requireOwn(call, type)),
    },
    {
      ...base,
      operationId: `reset-${type}-conversation`,
      method: "DELETE",
      path,
      assumptions: [
        "The user's unread count goes to 0 and earlier messages are out of their sight.",
        "With preserveOrder it stays in the list, without lastMessage; else it is back with the next message.",
        "deleteMessagesPermanently removes the messages for both users; conversationWith is not looked at.",
      ],
      handler: (call) => resetConversation(call, requireOwn(call, type)),
    },
    {
      ...base,
      operationId: `pin-${type}-conversation`,
      method: "POST",
      path: `${path}/pin`,
      assumptions: ["A conversation without a message cannot be pinned: ERR_CONVERSATION_NOT_ACCESSIBLE."],
      handler: (call) => pinConversation(call, requireOwn(call, type)),
    },
    {
      ...base,
      operationId: `unpin-${type}-conversation`,
      method: "DELETE",
      path: `${path}/pin`,
      handler: (call) => unpinConversation(call, requireOwn(call, type)),
    },
    {
      ...base,
      operationId: `mark-${ids}conversation-as-delivered`,
      method: "POST",
      path: `${path}/delivered`,
      handler: (call) => markConversation(call, requireOwn(call, type), "delivered"),
    },
    {
      ...base,
      operationId: `mark-${ids}conversation-as-read`,
      method: "POST",
      path: `${path}/read`,
      assumptions: ["Reading includes delivery."],
      handler: (call) => markConversation(call, requireOwn(call, type), "read"),
    },
    {
      ...base,
      operationId: `mark-${ids}conversation-as-unread`,
      method: "DELETE",
      path: `${path}/read`,
      assumptions: ["Without messageId all of the conversation is unread again."],
      handler: (call) => markUnread(call, requireOwn(call, type)),
    },
  ]),
];

// The path names a user or a group; the acting user's conversation with them is meant.
function requireOwn(call: AppCall, type: "user" | "group"): Conversation {
  const actor = requireActor(call);
  const peer = { type, id: type === "group" ? requireGroup(call).guid : requireUser(call).uid };
  return requireConversation(call, call.app, actor.uid, conversationIdWith(actor.uid, peer));
}

function requireById(call: AppCall): Conversation {
  const conversationId = call.param("conversationId");
  if (!conversationExists(call.db, call.app.appId, conversationId)) {
    throw new PlatformError(
      "ERR_CONVERSATION_NOT_FOUND",
      `The conversation ${conversationId} does not exist.`,
    );
  }
  return requireConversation(call, call.app, requireActor(call).uid, conversationId);
}

function show(call: AppCall, conversation: Conversation): Reply {
  const [shown] = presentConversations(call, [conversation], { withTags: true, withPeerTags: true });
  return reply(call.switches.singleConversationForm === "array" ? [shown] : shown);
}

function updateTags(call: AppCall, conversation: Conversation): Reply {
  const tags = optionalTags(call.body) ?? conversation.tags;
  const changed = { ...conversation, tags };
  putConversation(call.db, call.app.appId, changed);
  return show(call, changed);
}

function resetConversation(call: AppCall, conversation: Conversation): Reply {
  const { conversationId, uid } = conversation;
  const lastId = lastMessageId(call.db, call.app.appId, conversationId);
  const isPermanent =
    conversation.type === "user" && optionalFlag(call.body, "deleteMessagesPermanently") === true;
  call.db.transaction(() => {
    if (isPermanent) {
      deleteMessagesOf(call.db, call.app.appId, conversationId);
      clearForAll(call.db, call.app.appId, conversationId, { upTo: lastId, isHidden: false });
    }
    putConversation(call.db, call.app.appId, {
      ...conversation,
      unread: 0,
      readId: lastId,
      deliveredId: lastId,
      clearedId: lastId,
      isHidden: optionalFlag(call.body, "preserveOrder") !== true,
    });
  });
  return acknowledge(`The conversation ${conversationId} has been deleted successfully for UID ${uid}.`);
}

function deleteForAll(call: AppCall): Reply {
  const { conversationId } = requireById(call);
  const upTo = lastMessageId(call.db, call.app.appId, conversationId);
  clearForAll(call.db, call.app.appId, conversationId, { upTo, isHidden: true });
  return acknowledge(`The conversation ${conversationId} has been deleted successfully for all the users.`);
}
