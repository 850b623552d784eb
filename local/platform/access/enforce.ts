import { PlatformError } from "../errors/platform-error.ts";
import { isStringArray, type JsonObject } from "../json.ts";
import { type AppData, getDocument } from "../store/database.ts";
import { findMember } from "../store/groups.ts";
import { areFriends, systemUser, type User } from "../store/users.ts";

export type Acting = AppData & { actor: User | undefined };

export function requireFeature(request: Acting, feature: Feature): void {
  const role = limitedRole(request.actor);
  if (role === undefined) return;
  if (getDocument(request, restrictedKind(role), feature) === undefined) return;
  throw denied(`The feature u.${feature} is restricted for the role ${role}.`);
}

/** @param asked what a list must hold (`…denyForScopes`: must not); for `….mode`, the other user */
export function requirePermission(request: Acting, permission: string, asked?: string): void {
  const role = limitedRole(request.actor);
  if (role === undefined) return;
  if (isAllowed(request, readPermissions(request, "role", role)[permission], permission, asked)) return;
  throw denied(`The role ${role} does not have the permission ${permission}.`);
}

/** Checks the acting user's scope. Other checks refuse non-members. */
export function requireScopePermission(
  request: Acting,
  guid: string,
  permission: string,
  asked?: string,
): void {
  if (limitedRole(request.actor) === undefined || request.actor === undefined) return;
  const member = findMember(request, guid, request.actor.uid);
  if (member === undefined) return;
  const values = readPermissions(request, "scope", `${guid}/${member.scope}`);
  if (isAllowed(request, values[permission], permission, asked)) return;
  throw denied(`The scope ${member.scope} on group ${guid} does not have the permission ${permission}.`);
}

export function allowedValues(request: Acting, permission: string): string[] | undefined {
  const role = limitedRole(request.actor);
  const listed = role === undefined ? [] : listOf(readPermissions(request, "role", role)[permission]);
  return listed.length === 0 ? undefined : listed;
}

/** @param id a role, or `<guid>/<scope>` */
export function readPermissions(request: AppData, type: "role" | "scope", id: string): JsonObject {
  return getDocument(request, permissionKind(type), id) ?? {};
}

export function permissionKind(type: "role" | "scope"): string {
  return `${type}-permissions`;
}

/** @see docs/internals/platform/users-and-groups.md#permissions */
export function denied(message: string): PlatformError {
  return new PlatformError("ERR_PERMISSION_DENIED", message);
}

function isAllowed(request: Acting, value: unknown, permission: string, asked: string | undefined) {
  if (value === undefined) return true;
  if (permission.endsWith(".mode")) {
    return (
      value !== "friends" || (asked !== undefined && areFriends(request, request.actor?.uid ?? "", asked))
    );
  }
  if (!permission.includes(".")) return value !== "deny";
  const listed = listOf(value);
  if (listed.length === 0 || asked === undefined) return true;
  return listed.includes(asked) !== permission.endsWith(".denyForScopes");
}

function listOf(value: unknown) {
  if (typeof value === "string") return [value];
  return isStringArray(value) ? value : [];
}

function limitedRole(actor: User | undefined) {
  return actor === undefined || actor.uid === systemUser.uid ? undefined : actor.role;
}

/**
 * All but listUsers are inferred from the operations.
 * @see docs/internals/platform/users-and-groups.md#restricted-features
 */
export const features = {
  addMember: "/v3/groups/{guid}/members",
  ban: "/v3/groups/{guid}/bannedusers/{uid}",
  blockUser: "/v3/users/{uid}/blockedusers",
  changeScope: "/v3/groups/{guid}/members/{uid}",
  createCall: "/v3/calls",
  createGroup: "/v3/groups",
  createMessage: "/v3/messages",
  createMessageThread: "/v3/messages/{id}/thread",
  deleteCall: "/v3/calls/{sessionId}",
  deleteConversationForUser: "/v3/users/{uid}/conversation",
  deleteGroup: "/v3/groups/{guid}",
  deleteGroupMessages: "/v3/groups/{guid}/messages",
  deleteMessage: "/v3/messages/{id}",
  getBlockedUsers: "/v3/users/{uid}/blockedusers",
  getCall: "/v3/calls/{sessionId}",
  getConversation: "/v3/conversations/{conversationId}",
  getGroup: "/v3/groups/{guid}",
  getGroupMessages: "/v3/groups/{guid}/messages",
  getMember: "/v3/groups/{guid}/members/{uid}",
  getMessage: "/v3/messages/{id}",
  getMyDetails: "/v3/me",
  getUser: "/v3/users/{uid}",
  getUserMessages: "/v3/users/{uid}/messages",
  joinGroup: "/v3/groups/{guid}/members",
  kickMember: "/v3/groups/{guid}/members/{uid}",
  leaveGroup: "/v3/groups/{guid}/members",
  listBannedUsers: "/v3/groups/{guid}/bannedusers",
  listCalls: "/v3/calls",
  listConversations: "/v3/conversations",
  listGroupMembers: "/v3/groups/{guid}/members",
  listGroups: "/v3/groups",
  listMessages: "/v3/messages",
  listSettings: "/v3/settings",
  listThreadedMessages: "/v3/messages/{id}/thread",
  listUsers: "/v3/users",
  logout: "/v3/me",
  massMemberOperate: "/v3/groups/{guid}/members",
  patchOwner: "/v3/groups/{guid}/owner",
  unban: "/v3/groups/{guid}/bannedusers/{uid}",
  unblockUser: "/v3/users/{uid}/blockedusers",
  updateAuthToken: "/v3/users/{uid}/auth_tokens/{authToken}",
  updateCall: "/v3/calls/{sessionId}",
  updateGroup: "/v3/groups/{guid}",
  updateMessage: "/v3/messages/{id}",
} as const satisfies Record<string, string>;

export type Feature = keyof typeof features;

/** Removes the prefix `u.`, which only the examples have. */
export function featureKey(key: string): string {
  return key.startsWith("u.") ? key.slice("u.".length) : key;
}

export function isFeature(key: string): key is Feature {
  return Object.hasOwn(features, key);
}

export function restrictedKind(role: string): string {
  return `restricted-feature:${role}`;
}
