import type { AppRequest, AppRoute } from "../http/route.ts";
import { type JsonObject, objectOf, objectsOf } from "../json.ts";
import { type AppData, getDocument } from "../store/database.ts";
import { findMember } from "../store/groups.ts";
import { findMessage, type MessageDraft, type Recipient } from "../store/messages.ts";
import { areFriends, systemUser } from "../store/users.ts";
import {
  type Acting,
  denied,
  type Feature,
  requireFeature,
  requirePermission,
  requireScopePermission,
} from "./enforce.ts";
import { roleKind } from "./roles.ts";

/** The code that sends a message checks its contents and receivers. */
export function requireOperationAccess(request: AppRequest, route: AppRoute): void {
  if (request.actor === undefined) return;
  const known = operationAccess[route.operationId];
  if (known === undefined) return;
  const access: Access = typeof known === "string" ? { feature: known } : known;
  if (access.feature !== undefined) requireFeature(request, access.feature);
  if (access.permission !== undefined) requirePermission(request, access.permission);
  const group =
    access.scope === undefined && access.denyForScopes === undefined ? undefined : groupOf(request, route);
  if (group === undefined) return;
  if (access.scope !== undefined) requireScopePermission(request, group, access.scope);
  const member = findMember(request, group, request.actor.uid);
  if (access.denyForScopes !== undefined && member !== undefined) {
    requirePermission(request, access.denyForScopes, member.scope);
  }
}

type Access = { feature?: Feature; permission?: string; scope?: string; denyForScopes?: string };

// Inferred from the names (assumed).
const operationAccess: Record<string, Feature | Access> = {
  "get-user": "getUser",
  "create-group": { feature: "createGroup", permission: "createGroup" },
  "list-groups": { feature: "listGroups", permission: "listGroups" },
  "get-group": "getGroup",
  "update-group": "updateGroup",
  "delete-group": "deleteGroup",
  "add-group-members": "addMember",
  "change-group-member-scope": "changeScope",
  "kick-group-member": "kickMember",
  "ban-group-user": "ban",
  "unban-group-user": "unban",
  "send-message": "createMessage",
  "send-thread-message": { feature: "createMessageThread", scope: "sendThreadedMessage" },
  "list-all-messages": "listMessages",
  "get-message-details": "getMessage",
  "update-message": {
    feature: "updateMessage",
    permission: "editMessage",
    scope: "editMessage",
    denyForScopes: "editMessage.denyForScopes",
  },
  "delete-message": {
    feature: "deleteMessage",
    permission: "deleteMessage",
    denyForScopes: "deleteMessage.denyForScopes",
  },
  "user-list-user-messages": "getUserMessages",
  "user-list-group-messages": "getGroupMessages",
  "list-all-reactions": { scope: "listReactions" },
  "get-message-reactions": { scope: "listReactions" },
  "add-message-reactions": { scope: "addReaction" },
  "list-all-thread-messages": "listThreadedMessages",
  "list-all-conversations": "listConversations",
  "get-conversation": "getConversation",
  "get-user-conversations": "getConversation",
  "get-group-conversations": "getConversation",
  "reset-user-conversation": "deleteConversationForUser",
  "reset-group-conversation": "deleteConversationForUser",
  "delete-conversation": "deleteConversationForUser",
  "list-calls": "listCalls",
  "retrieve-call-details": "getCall",
};

function groupOf(request: AppRequest, route: AppRoute) {
  if (route.path.includes("{guid}")) return request.param("guid").toLowerCase();
  if (!route.path.startsWith("/messages/{id}")) return undefined;
  const message = findMessage(request, request.param("id"));
  return message?.receiverType === "group" ? message.receiver : undefined;
}

/**
 * Lets the system user send all.
 * @see docs/internals/platform/users-and-groups.md#permissions
 * @see docs/internals/platform/users-and-groups.md#roles
 */
export function requireSendAccess(services: AppData, draft: MessageDraft): void {
  const { sender, recipient } = draft;
  if (sender.uid === systemUser.uid) return;
  const request = { ...services, actor: sender };
  requirePermission(request, "sendMessage");
  requirePermission(request, "sendMessage.allowedReceiverTypes", recipient.type);
  requirePermission(request, "sendMessage.allowedMessageCategories", draft.category);
  const typePermission = draft.category === "custom" ? "allowedCustomTypes" : "allowedMessageTypes";
  requirePermission(request, `sendMessage.${typePermission}`, draft.type);
  for (const mimeType of mimeTypesOf(draft.data)) {
    requirePermission(request, "sendMessage.allowedMimeTypes", mimeType);
  }
  if (recipient.type === "group") {
    requireScopePermission(request, recipient.group.guid, "sendMessage");
    return;
  }
  requirePermission(request, "sendMessage.mode", recipient.user.uid);
  requirePermission(request, "sendMessage.allowedReceiverRoles", recipient.user.role);
  const { sendMessagesTo } = objectOf(getDocument(services, roleKind, sender.role)?.settings);
  if (sendMessagesTo === "friendsOnly" && !areFriends(services, sender.uid, recipient.user.uid)) {
    throw denied(`The role ${sender.role} may send messages to friends only.`);
  }
}

function mimeTypesOf(data: JsonObject) {
  return objectsOf(data.attachments)
    .map(({ mimeType }) => mimeType)
    .filter((mimeType) => typeof mimeType === "string");
}

/** @see docs/internals/platform/users-and-groups.md#permissions */
export function requireCallAccess(request: Acting, recipient: Recipient, type: "audio" | "video"): void {
  requireFeature(request, "createCall");
  requirePermission(request, "initiateCall");
  if (recipient.type === "group") {
    requireScopePermission(request, recipient.group.guid, "initiateCall");
    requireScopePermission(request, recipient.group.guid, "initiateCall.allowedType", type);
    return;
  }
  requirePermission(request, "initiateCall.mode", recipient.user.uid);
  requirePermission(request, "initiateCall.allowedReceiverRoles", recipient.user.role);
}
