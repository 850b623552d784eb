import type { Recipient } from "../store/message-draft.ts";
import { type Acting, requireFeature, requirePermission, requireScopePermission } from "./enforce.ts";

/**
 * Refuses a call that the acting user's role, or scope in the group, may not place.
 * @throws PlatformError ERR_PERMISSION_DENIED
 * @see docs/platform/users-and-groups.md#permissions
 */
export function requireCallAccess(call: Acting, recipient: Recipient, type: "audio" | "video"): void {
  requireFeature(call, "createCall");
  requirePermission(call, "initiateCall");
  if (recipient.type === "group") {
    requireScopePermission(call, recipient.group.guid, "initiateCall");
    requireScopePermission(call, recipient.group.guid, "initiateCall.allowedType", type);
    return;
  }
  requirePermission(call, "initiateCall.mode", recipient.user.uid);
  requirePermission(call, "initiateCall.allowedReceiverRoles", recipient.user.role);
}
