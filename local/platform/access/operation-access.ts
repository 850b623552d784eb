import type { AppRequest, AppRoute } from "../http/route.ts";
import { findMember } from "../store/groups.ts";
import { findMessage } from "../store/messages.ts";
import { requireFeature, requirePermission, requireScopePermission } from "./enforce.ts";
import type { Feature } from "./features.ts";

/**
 * Refuses an operation that the acting user's role or scope may not do. Requests of the app itself pass. What a message may
 * hold and who may get it is checked where messages are sent.
 * @throws PlatformError ERR_PERMISSION_DENIED
 */
export function requireOperationAccess(request: AppRequest, route: AppRoute): void {
  if (request.actor === undefined || !Object.hasOwn(operationAccess, route.operationId)) return;
  const access = operationAccess[route.operationId];
  if (access === undefined) return;
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

// Which feature and permission belongs to which operation is concluded from their names (assumed).
const operationAccess: Record<string, Access> = {
  "get-user": { feature: "getUser" },
  "create-group": { feature: "createGroup", permission: "createGroup" },
  "list-groups": { feature: "listGroups", permission: "listGroups" },
  "get-group": { feature: "getGroup" },
  "update-group": { feature: "updateGroup" },
  "delete-group": { feature: "deleteGroup" },
  "add-group-members": { feature: "addMember" },
  "change-group-member-scope": { feature: "changeScope" },
  "kick-group-member": { feature: "kickMember" },
  "ban-group-user": { feature: "ban" },
  "unban-group-user": { feature: "unban" },
  "send-message": { feature: "createMessage" },
  "send-thread-message": { feature: "createMessageThread", scope: "sendThreadedMessage" },
  "list-all-messages": { feature: "listMessages" },
  "get-message-details": { feature: "getMessage" },
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
  "user-list-user-messages": { feature: "getUserMessages" },
  "user-list-group-messages": { feature: "getGroupMessages" },
  "list-all-reactions": { scope: "listReactions" },
  "get-message-reactions": { scope: "listReactions" },
  "add-message-reactions": { scope: "addReaction" },
  "list-all-thread-messages": { feature: "listThreadedMessages" },
  "list-all-conversations": { feature: "listConversations" },
  "get-conversation": { feature: "getConversation" },
  "get-user-conversations": { feature: "getConversation" },
  "get-group-conversations": { feature: "getConversation" },
  "reset-user-conversation": { feature: "deleteConversationForUser" },
  "reset-group-conversation": { feature: "deleteConversationForUser" },
  "delete-conversation": { feature: "deleteConversationForUser" },
  "list-calls": { feature: "listCalls" },
  "retrieve-call-details": { feature: "getCall" },
};

function groupOf(request: AppRequest, route: AppRoute): string | undefined {
  if (route.path.includes("{guid}")) return request.param("guid").toLowerCase();
  if (!route.path.startsWith("/messages/{id}")) return undefined;
  const message = findMessage(request, request.param("id"));
  return message?.receiverType === "group" ? message.receiver : undefined;
}
