import { notJoined, PlatformError } from "../errors/platform-error.ts";
import type { AppServices } from "../services/services.ts";
import { findMember, type Group, type Member, memberScopes } from "../store/groups.ts";
import type { User } from "../store/users.ts";

// The app itself may do everything. Which scope may do what is assumed; the codes and their meanings are documented
// (docs/platform/answers-and-errors.md#error-codes).

/**
 * Checks that the acting user has at least a scope in a group.
 * @throws PlatformError ERR_GROUP_NOT_JOINED, ERR_GROUP_NO_ADMIN_SCOPE, ERR_GROUP_NO_MODERATOR_SCOPE
 */
export function requireGroupScope(acting: Acting, group: Group, needed: "admin" | "moderator"): void {
  const member = actingMember(acting, group);
  if (member === undefined || rank(member) <= memberScopes.indexOf(needed)) return;
  throw new PlatformError(
    needed === "admin" ? "ERR_GROUP_NO_ADMIN_SCOPE" : "ERR_GROUP_NO_MODERATOR_SCOPE",
    `The user ${member.uid} does not have ${needed} scope in the group ${group.guid}.`,
  );
}

/**
 * Checks that the acting user stands above another in a group; the owner stands above all.
 * @throws PlatformError ERR_GROUP_NO_SELF_ACTION, and `code` when the other's scope is not lower
 */
export function requireClearance(
  acting: Acting,
  group: Group,
  uid: string,
  code: "ERR_GROUP_NO_CLEARANCE" | "ERR_GROUP_NO_SCOPE_CLEARANCE" = "ERR_GROUP_NO_CLEARANCE",
): void {
  const member = actingMember(acting, group);
  if (member === undefined) return;
  if (member.uid === uid) {
    throw new PlatformError(
      "ERR_GROUP_NO_SELF_ACTION",
      `The user ${uid} cannot perform this action on themselves.`,
    );
  }
  requireGroupScope(acting, group, "moderator");
  if (member.uid === group.owner) return;
  const other = findMember(acting, group.guid, uid);
  if (uid !== group.owner && (other === undefined || rank(member) < rank(other))) return;
  throw new PlatformError(
    code,
    `The user ${member.uid} does not have the clearance for this action on ${uid} in the group ${group.guid}.`,
  );
}

/** Gives a membership. @throws PlatformError ERR_NOT_A_MEMBER */
export function requireMember(acting: Acting, guid: string, uid: string): Member {
  const member = findMember(acting, guid, uid);
  if (member === undefined) {
    throw new PlatformError("ERR_NOT_A_MEMBER", `The user ${uid} is not a member of the group ${guid}.`);
  }
  return member;
}

function actingMember(acting: Acting, group: Group): Member | undefined {
  if (acting.actor === undefined) return undefined;
  const member = findMember(acting, group.guid, acting.actor.uid);
  if (member === undefined) {
    throw notJoined(acting.actor.uid, group.guid);
  }
  return member;
}

function rank(member: Member): number {
  return memberScopes.indexOf(member.scope);
}

/** Says on which app something is done and by whom; `actor` undefined is the app itself. Every `AppRequest` is one. */
export type Acting = AppServices & { actor: User | undefined };
