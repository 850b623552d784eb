import { groupNotFound } from "../errors/failures.ts";
import type { AppRequest } from "../http/route.ts";
import type { JsonObject } from "../json.ts";
import { findGroup, findMember, type Group } from "../store/groups.ts";
import { showGroup } from "../wire/show.ts";

/** Finds the group that a path parameter names. @throws PlatformError ERR_GUID_NOT_FOUND */
export function requireGroup(request: AppRequest, parameter = "guid"): Group {
  const group = findGroup(request.db, request.app.appId, request.param(parameter).toLowerCase());
  if (group === undefined) throw groupNotFound(request.param(parameter));
  return group;
}

/** Gives a group as the acting user sees it (scope, joinedAt, hasJoined when a member). */
export function showGroupFor(request: AppRequest, group: Group, withTags = true): JsonObject {
  const membership =
    request.actor === undefined
      ? undefined
      : findMember(request.db, request.app.appId, group.guid, request.actor.uid);
  return showGroup(group, { withTags, membership });
}
