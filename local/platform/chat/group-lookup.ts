import { groupNotFound, PlatformError } from "../errors/platform-error.ts";
import { optionalMetadata, optionalTags, optionalText } from "../http/fields.ts";
import type { AppRequest } from "../http/route.ts";
import { defined, type JsonObject } from "../json.ts";
import type { AppData } from "../store/database.ts";
import { findGroup, findMember, type Group } from "../store/groups.ts";
import { showGroup } from "../wire/show.ts";

/** Finds the group that a path parameter names. @throws PlatformError ERR_GUID_NOT_FOUND */
export function requireGroup(request: AppRequest, parameter = "guid"): Group {
  return requireGroupByGuid(request, request.param(parameter));
}

/** Finds a group by its guid. @throws PlatformError ERR_GUID_NOT_FOUND */
export function requireGroupByGuid(data: AppData, guid: string): Group {
  const group = findGroup(data, guid.toLowerCase());
  if (group === undefined) throw groupNotFound(guid);
  return group;
}

/** Gives a group as the acting user sees it (scope, joinedAt, hasJoined when a member). */
export function showGroupFor(request: AppRequest, group: Group, withTags = true): JsonObject {
  const membership =
    request.actor === undefined ? undefined : findMember(request, group.guid, request.actor.uid);
  return showGroup(group, { withTags, membership });
}

/** Lists the types of groups. */
export const groupTypes = ["public", "password", "private"] as const;

/**
 * Reads the password of a group that is, or becomes, of a type; undefined for the types without one.
 * @throws PlatformError ERR_EMPTY_GROUP_PASS
 * @see docs/platform/users-and-groups.md#passwords-of-groups
 */
export function readGroupPassword(body: JsonObject, type: string): string | undefined {
  const password = optionalText(body, "password", 100);
  if (type !== "password") return undefined;
  if (password === undefined || password === "") {
    throw new PlatformError("ERR_EMPTY_GROUP_PASS", "A group of type password needs a password.");
  }
  return password;
}

/** Reads the fields that creating and changing a group share. @see docs/platform/ids-and-limits.md#texts */
export function readGroupProfile(body: JsonObject): GroupProfile {
  const description = optionalText(body, "description", 255);
  const icon = optionalText(body, "icon", 3_000);
  const metadata = optionalMetadata(body);
  const tags = optionalTags(body);
  return defined({ description, icon, metadata, tags });
}

type GroupProfile = Pick<Group, "description" | "icon" | "metadata" | "tags">;
