import type { Recipient } from "../store/message-draft.ts";
import { type Acting, requireFeature, requirePermission, requireScopePermission } from "./enforce.ts";

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
