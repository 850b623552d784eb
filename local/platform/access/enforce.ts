import { PlatformError } from "../errors/platform-error.ts";
import { isStringArray, type JsonObject } from "../json.ts";
import type { AppData } from "../store/database.ts";
import { getDocument } from "../store/documents.ts";
import { findMember } from "../store/groups.ts";
import { areFriends } from "../store/relations.ts";
import { systemUser, type User } from "../store/users.ts";
import { type Feature, restrictedKind } from "./features.ts";

/** An app's data and who acts on it; every `AppRequest` is one. `actor` undefined is the app itself, which may do all. */
export type Acting = AppData & { actor: User | undefined };

/**
 * Refuses when the feature is forbidden to the acting user's role.
 * @throws PlatformError ERR_PERMISSION_DENIED (the code for restricted features is assumed)
 */
export function requireFeature(request: Acting, feature: Feature): void {
  const role = limitedRole(request.actor);
  if (role === undefined) return;
  if (getDocument(request, restrictedKind(role), feature) === undefined) return;
  throw denied(`The feature u.${feature} is restricted for the role ${role}.`);
}

/**
 * Refuses when the acting user's role does not have the permission. `asked` is what a list permission has to hold
 * (or, for `…denyForScopes`, must not hold) and for `….mode` the uid of the other user; leave it out for allow and deny.
 * @throws PlatformError ERR_PERMISSION_DENIED
 */
export function requirePermission(request: Acting, permission: string, asked?: string): void {
  const role = limitedRole(request.actor);
  if (role === undefined) return;
  if (isAllowed(request, readPermissions(request, "role", role)[permission], permission, asked)) return;
  throw denied(`The role ${role} does not have the permission ${permission}.`);
}

/** Refuses like `requirePermission`, by the scope that the acting user has in a group. Non-members pass: others refuse them. */
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

/** Gives the values that a list permission of the acting user's role names; undefined when it limits nothing. */
export function allowedValues(request: Acting, permission: string): string[] | undefined {
  const role = limitedRole(request.actor);
  const listed = role === undefined ? [] : listOf(readPermissions(request, "role", role)[permission]);
  return listed.length === 0 ? undefined : listed;
}

/** Reads what is set for a role (`role`) or for a scope in a group (`<guid>/<scope>`). */
export function readPermissions(request: AppData, type: "role" | "scope", id: string): JsonObject {
  return getDocument(request, permissionKind(type), id) ?? {};
}

/** Names the kind of the documents that hold permissions. */
export function permissionKind(type: "role" | "scope"): string {
  return `${type}-permissions`;
}

/**
 * Makes the refusal of a user who may not do something.
 * @see docs/platform/users-and-groups.md#permissions (403 documented)
 */
export function denied(message: string): PlatformError {
  return new PlatformError("ERR_PERMISSION_DENIED", message);
}

function isAllowed(request: Acting, value: unknown, permission: string, asked: string | undefined): boolean {
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

function listOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return isStringArray(value) ? value : [];
}

function limitedRole(actor: User | undefined): string | undefined {
  return actor === undefined || actor.uid === systemUser.uid ? undefined : actor.role;
}
