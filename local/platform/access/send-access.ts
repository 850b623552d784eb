import { isJsonObject, type JsonObject } from "../json.ts";
import type { AppData } from "../store/database.ts";
import { getDocument } from "../store/documents.ts";
import type { MessageDraft, Recipient } from "../store/messages.ts";
import { areFriends } from "../store/relations.ts";
import { systemUser } from "../store/users.ts";
import { type Acting, denied, requireFeature, requirePermission, requireScopePermission } from "./enforce.ts";
import { roleKind } from "./roles.ts";

/**
 * Refuses a message that its sender's role, or scope in the group, may not send. The system user may send all.
 * @throws PlatformError ERR_PERMISSION_DENIED
 * @see docs/platform/users-and-groups.md#permissions, docs/platform/users-and-groups.md#roles
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
  const { user } = recipient;
  requirePermission(request, "sendMessage.mode", user.uid);
  requirePermission(request, "sendMessage.allowedReceiverRoles", user.role);
  const settings = getDocument(services, roleKind, sender.role)?.settings;
  const isFriendsOnly = isJsonObject(settings) && settings.sendMessagesTo === "friendsOnly";
  if (isFriendsOnly && !areFriends(services, sender.uid, user.uid)) {
    throw denied(`The role ${sender.role} may send messages to friends only.`);
  }
}

function mimeTypesOf(data: JsonObject): string[] {
  if (!Array.isArray(data.attachments)) return [];
  return data.attachments.flatMap((item: unknown) =>
    isJsonObject(item) && typeof item.mimeType === "string" ? [item.mimeType] : [],
  );
}

/**
 * Refuses a phone call that the acting user's role, or scope in the group, may not place.
 * @throws PlatformError ERR_PERMISSION_DENIED
 * @see docs/platform/users-and-groups.md#permissions
 */
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
