import type { JsonObject } from "../json.ts";
import { memberScopes } from "../store/groups.ts";

/** Says what a permission may be set to. `list` permissions hold several of the values; no value means no limit. */
export type PermissionDefinition = { id: string; isList: boolean; values: readonly string[] };

/** Gives the definition as the lists show it. Titles and descriptions are ours. */
export function showDefinition(
  { id, isList, values }: PermissionDefinition,
  type: "role" | "scope",
  createdAt: number,
): JsonObject {
  return {
    id,
    type,
    title: id,
    description: `Limits ${id} for users of this ${type}.`,
    dataType: isList ? "stringArray" : "string",
    availableValues: values,
    defaultValue: isList ? [] : values[0],
    createdAt,
    updatedAt: createdAt,
  };
}

const verdict = ["allow", "deny"];
const mode = ["all", "friends"];
const receiverTypes = ["user", "group"];
const messageTypes = ["text", "image", "file", "audio", "video"];
const categories = ["message", "custom", "action", "call"];
const groupTypes = ["public", "private", "password"];

// An empty list of values takes any text: roles, custom types and MIME types are the app's own.
const free: readonly string[] = [];

/**
 * Lists the 28 permissions of a role. Ids are documented; which values each takes is concluded from its name.
 * @see docs/platform/users-and-groups.md#permissions
 */
export const rolePermissions: readonly PermissionDefinition[] = [
  one("listUsers", verdict),
  one("listUsers.mode", mode),
  many("listUsers.allowedRoles", free),
  one("getUserDetails.mode", mode),
  many("getUserDetails.allowedRoles", free),
  one("sendMessage", verdict),
  one("sendMessage.mode", mode),
  many("sendMessage.allowedReceiverTypes", receiverTypes),
  many("sendMessage.allowedReceiverRoles", free),
  many("sendMessage.allowedMessageTypes", messageTypes),
  many("sendMessage.allowedMessageCategories", categories),
  many("sendMessage.allowedCustomTypes", free),
  many("sendMessage.allowedMimeTypes", free),
  one("editMessage", verdict),
  many("editMessage.denyForScopes", memberScopes),
  one("deleteMessage", verdict),
  many("deleteMessage.denyForScopes", memberScopes),
  one("initiateCall", verdict),
  one("initiateCall.mode", mode),
  many("initiateCall.allowedReceiverRoles", free),
  one("createGroup", verdict),
  many("createGroup.allowedGroupTypes", groupTypes),
  one("listGroups", verdict),
  many("listGroups.allowedGroupTypes", groupTypes),
  one("joinGroup", verdict),
  many("joinGroup.allowedGroupTypes", groupTypes),
  many("listMessages.allowedMessageCategories", categories),
  many("listMessages.allowedMessageTypes", free),
];

/** Lists the 11 permissions of a scope in a group. @see docs/platform/users-and-groups.md#permissions */
export const scopePermissions: readonly PermissionDefinition[] = [
  one("sendMessage", verdict),
  one("listMembers", verdict),
  many("listMembers.allowedScopes", memberScopes),
  one("addReaction", verdict),
  one("listReactions", verdict),
  many("listReactions.allowedScopes", memberScopes),
  one("sendThreadedMessage", verdict),
  one("initiateCall", verdict),
  many("initiateCall.allowedScopes", memberScopes),
  many("initiateCall.allowedType", ["audio", "video"]),
  one("editMessage", verdict),
];

function one(id: string, values: readonly string[]): PermissionDefinition {
  return { id, isList: false, values };
}

function many(id: string, values: readonly string[]): PermissionDefinition {
  return { id, isList: true, values };
}
