import { groupNotFound } from "../errors/failures.ts";
import type { AppCall } from "../http/route.ts";
import type { JsonObject } from "../json.ts";
import { findGroup, findMember, type Group } from "../store/groups.ts";
import { showGroup } from "../wire/show.ts";

/** Finds the group that a path parameter names. @throws PlatformError ERR_GUID_NOT_FOUND */
export function requireGroup(call: AppCall, parameter = "guid"): Group {
  const group = findGroup(call.db, call.app.appId, call.param(parameter).toLowerCase());
  if (group === undefined) throw groupNotFound(call.param(parameter));
  return group;
}

/** Gives a group as the acting user sees it (scope, joinedAt, hasJoined when a member). */
export function showGroupFor(call: AppCall, group: Group, withTags = true): JsonObject {
  const membership =
    call.actor === undefined ? undefined : findMember(call.db, call.app.appId, group.guid, call.actor.uid);
  return showGroup(group, { withTags, membership });
}
