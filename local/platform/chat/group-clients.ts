import { requireFeature, requirePermission } from "../access/enforce.ts";
import { PlatformError } from "../errors/platform-error.ts";
import type { AppServices } from "../services/services.ts";
import { findGroupPassword, type Group, isBanned } from "../store/groups.ts";
import type { Message } from "../store/messages.ts";
import { requireGroupByGuid } from "./group-lookup.ts";
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
  services: AppServices,
  join: { uid: string; guid: string; password?: string | undefined },
): Message {
  const user = requireUserByUid(services, join.uid);
  const group = requireGroupByGuid(services, join.guid);
  requireFeature({ ...services, actor: user }, "joinGroup");
  requirePermission({ ...services, actor: user }, "joinGroup");
  requirePermission({ ...services, actor: user }, "joinGroup.allowedGroupTypes", group.type);
  if (!isBanned(services, group.guid, user.uid)) requireDoorOpen(services, group, join);
  const acting = { ...services, actor: user };
  return services.db.transaction(() =>
    enterGroup(acting, group.guid, { user, scope: "participant", how: "joined" }),
  );
}

/**
 * Lets a member leave a group as a client does. The owner may leave too (assumed) and stays its owner.
 * @throws PlatformError ERR_UID_NOT_FOUND, ERR_GUID_NOT_FOUND, ERR_NOT_A_MEMBER, ERR_PERMISSION_DENIED
 */
export function leaveGroup(services: AppServices, leave: { uid: string; guid: string }): void {
  const user = requireUserByUid(services, leave.uid);
  const group = requireGroupByGuid(services, leave.guid);
  const acting = { ...services, actor: user };
  requireFeature(acting, "leaveGroup");
  requireMember(acting, group.guid, user.uid);
  services.db.transaction(() => exitGroup(acting, group.guid, user, "left"));
}

function requireDoorOpen(services: AppServices, group: Group, join: { password?: string | undefined }) {
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
  if (join.password !== findGroupPassword(services, group.guid)) {
    throw new PlatformError("ERR_WRONG_GROUP_PASS", `The password of the group ${group.guid} is another.`);
  }
}
