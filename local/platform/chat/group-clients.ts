import { requireFeature, requirePermission } from "../access/enforce.ts";
import { groupNotFound } from "../errors/failures.ts";
import { PlatformError } from "../errors/platform-error.ts";
import type { Services } from "../services/services.ts";
import type { App } from "../store/apps.ts";
import { findGroup, findGroupPassword, type Group, isBanned } from "../store/groups.ts";
import type { Message } from "../store/messages.ts";
import { requireMember } from "./group-rights.ts";
import { enterGroup, exitGroup } from "./membership.ts";
import { requireUserByUid } from "./user-lookup.ts";

/**
 * Lets a user join a group as a client does; there is no REST route for it.
 * @throws PlatformError ERR_UID_NOT_FOUND, ERR_GUID_NOT_FOUND, ERR_BANNED_GROUPMEMBER, ERR_GROUP_JOIN_NOT_ALLOWED,
 *   ERR_EMPTY_GROUP_PASS, ERR_WRONG_GROUP_PASS, ERR_ALREADY_JOINED, ERR_NO_VACANCY, ERR_PERMISSION_DENIED
 * @see docs/platform/events.md#group-events
 */
export function joinGroup(
  services: Services,
  app: App,
  join: { uid: string; guid: string; password?: string | undefined },
): Message {
  const user = requireUserByUid({ ...services, app }, join.uid);
  const group = requireStored(services, app, join.guid);
  requireFeature({ ...services, app, actor: user }, "joinGroup");
  requirePermission({ ...services, app, actor: user }, "joinGroup");
  requirePermission({ ...services, app, actor: user }, "joinGroup.allowedGroupTypes", group.type);
  if (!isBanned(services.db, app.appId, group.guid, user.uid)) requireDoorOpen(services, app, group, join);
  const acting = { ...services, app, actor: user };
  return services.db.transaction(() =>
    enterGroup(acting, group.guid, { user, scope: "participant", how: "joined" }),
  );
}

/**
 * Lets a member leave a group as a client does. The owner may leave too (assumed) and stays its owner.
 * @throws PlatformError ERR_UID_NOT_FOUND, ERR_GUID_NOT_FOUND, ERR_NOT_A_MEMBER, ERR_PERMISSION_DENIED
 */
export function leaveGroup(services: Services, app: App, leave: { uid: string; guid: string }): void {
  const user = requireUserByUid({ ...services, app }, leave.uid);
  const group = requireStored(services, app, leave.guid);
  const acting = { ...services, app, actor: user };
  requireFeature(acting, "leaveGroup");
  requireMember(acting, group.guid, user.uid);
  services.db.transaction(() => exitGroup(acting, group.guid, user, "left"));
}

function requireDoorOpen(
  services: Services,
  app: App,
  group: Group,
  join: { password?: string | undefined },
) {
  if (group.type === "private") {
    throw new PlatformError(
      "ERR_GROUP_JOIN_NOT_ALLOWED",
      `The private group ${group.guid} cannot be joined.`,
    );
  }
  if (group.type !== "password") return;
  if (join.password === undefined || join.password === "") {
    throw new PlatformError("ERR_EMPTY_GROUP_PASS", `Joining the group ${group.guid} needs its password.`);
  }
  if (join.password !== findGroupPassword(services.db, app.appId, group.guid)) {
    throw new PlatformError("ERR_WRONG_GROUP_PASS", `The password of the group ${group.guid} is another.`);
  }
}

function requireStored(services: Services, app: App, guid: string): Group {
  const group = findGroup(services.db, app.appId, guid.toLowerCase());
  if (group === undefined) throw groupNotFound(guid);
  return group;
}
