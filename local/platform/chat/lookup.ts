import {
  ensure,
  found,
  groupNotFound,
  notJoined,
  PlatformError,
  userNotFound,
} from "../errors/platform-error.ts";
import { optionalMetadata, optionalTags, optionalText, readFields, text } from "../http/fields.ts";
import { type AppRequest, changeCursor, pageMeta, type Reply, readPage, reply } from "../http/route.ts";
import type { JsonObject } from "../json.ts";
import type { AppServices } from "../services/services.ts";
import { type AppData, getDocument } from "../store/database.ts";
import { findGroup, findMember, type Group, type Member, memberScopes } from "../store/groups.ts";
import type { Recipient } from "../store/messages.ts";
import {
  findActiveUser,
  findBlock,
  findUser,
  isBlockedBy,
  selectRelated,
  type User,
} from "../store/users.ts";
import { showGroup, showUser } from "../wire/show.ts";

export function requireUser(request: AppRequest): User {
  return requireUserByUid(request, request.param("uid"));
}

export function requireUserByUid(request: AppData, uid: string): User {
  const user = findActiveUser(request, uid.toLowerCase());
  if (user === undefined) throw userNotFound(uid);
  return user;
}

export function requireNew(request: AppServices, kind: "UID" | "GUID", id: string): void {
  const find = kind === "UID" ? findUser : findGroup;
  ensure(
    find(request, id.toLowerCase()) === undefined,
    `ERR_${kind}_ALREADY_EXISTS`,
    `The ${kind} ${id} already exists, please use a different ${kind}.`,
    { status: request.switches.duplicateIdStatus },
  );
}

export function requireRole(request: AppData, role: string): string {
  ensure(
    role === "default" || getDocument(request, "role", role) !== undefined,
    "ERR_ROLE_NOT_FOUND",
    `The role ${role} does not exist.`,
  );
  return role;
}

export function listRelated(request: AppRequest, relation: "friends" | "blocked"): Reply {
  const user = requireUser(request);
  const page = readPage(request.query);
  const asked = { relation, query: request.query, window: page };
  const { items, total } = selectRelated(request, user.uid, asked);
  return reply(
    items.map((other) => ({
      ...showUser(other, user.uid),
      ...blockFields(request, user.uid, other.uid),
    })),
    { meta: { ...pageMeta(page, total, items.length), ...changeCursor(items.at(-1)) } },
  );
}

/**
 * @see docs/internals/platform/users-and-groups.md#shape-of-a-user
 * @see docs/internals/platform/events.md#users-in-events (`hasBlockedMe`)
 */
export function blockFields(data: AppData, viewerUid: string, uid: string): JsonObject {
  const byMeAt = findBlock(data, viewerUid, uid);
  const hasBlockedMe = isBlockedBy(data, uid, viewerUid);
  return {
    ...(byMeAt !== undefined && { blockedByMe: true, blockedByMeAt: byMeAt, blockedAt: byMeAt }),
    ...(hasBlockedMe && { hasBlockedMe: true }),
  };
}

export function requireGroup(request: AppRequest): Group {
  return requireGroupByGuid(request, request.param("guid"));
}

export function requireGroupByGuid(data: AppData, guid: string): Group {
  const group = findGroup(data, guid.toLowerCase());
  if (group === undefined) throw groupNotFound(guid);
  return group;
}

export type Party = { type: "user" | "group"; id: string };

export function requireParty(data: AppData, party: Party): Recipient {
  return party.type === "user"
    ? { type: "user", user: requireUserByUid(data, party.id) }
    : { type: "group", group: requireGroupByGuid(data, party.id) };
}

export function showGroupFor(request: AppRequest, group: Group, withTags = true): JsonObject {
  const membership =
    request.actor === undefined ? undefined : findMember(request, group.guid, request.actor.uid);
  return showGroup(group, membership, withTags);
}

export const groupTypes = ["public", "password", "private"] as const;

/** @see docs/internals/platform/users-and-groups.md#passwords-of-groups */
export function readGroupPassword(body: JsonObject, type: string): string | undefined {
  const password = optionalText(body, "password", 100);
  if (type !== "password") return undefined;
  ensure(
    password !== undefined && password !== "",
    "ERR_EMPTY_GROUP_PASS",
    "A group of type password needs a password.",
  );
  return password;
}

export function readGroupProfile(body: JsonObject): GroupProfile {
  return readFields(body, {
    description: text(255),
    icon: text(3_000),
    metadata: optionalMetadata,
    tags: optionalTags,
  });
}

type GroupProfile = Pick<Group, "description" | "icon" | "metadata" | "tags">;

// The scope that each act needs is assumed; the codes are documented
// (docs/internals/platform/answers-and-errors.md#error-codes).

export function requireGroupScope(acting: Acting, group: Group, needed: "admin" | "moderator"): void {
  const member = actingMember(acting, group);
  if (member === undefined || rank(group, member.uid, member) <= memberScopes.indexOf(needed)) return;
  throw new PlatformError(
    needed === "admin" ? "ERR_GROUP_NO_ADMIN_SCOPE" : "ERR_GROUP_NO_MODERATOR_SCOPE",
    `The user ${member.uid} does not have ${needed} scope in the group ${group.guid}.`,
  );
}

/** Ranks the owner highest. */
export function requireClearance(
  acting: Acting,
  group: Group,
  uid: string,
  code: "ERR_GROUP_NO_CLEARANCE" | "ERR_GROUP_NO_SCOPE_CLEARANCE" = "ERR_GROUP_NO_CLEARANCE",
): void {
  const member = actingMember(acting, group);
  if (member === undefined) return;
  ensure(
    member.uid !== uid,
    "ERR_GROUP_NO_SELF_ACTION",
    `The user ${uid} cannot perform this action on themselves.`,
  );
  requireGroupScope(acting, group, "moderator");
  const other = findMember(acting, group.guid, uid);
  if (rank(group, member.uid, member) < rank(group, uid, other)) return;
  throw new PlatformError(
    code,
    `The user ${member.uid} does not have the clearance for this action on ${uid} in the group ${group.guid}.`,
  );
}

export function requireMember(acting: Acting, guid: string, uid: string): Member {
  return found(
    findMember(acting, guid, uid),
    "ERR_NOT_A_MEMBER",
    `The user ${uid} is not a member of the group ${guid}.`,
  );
}

function actingMember(acting: Acting, group: Group) {
  if (acting.actor === undefined) return undefined;
  const member = findMember(acting, group.guid, acting.actor.uid);
  if (member === undefined) {
    throw notJoined(acting.actor.uid, group.guid);
  }
  return member;
}

export function isModerator(data: AppData, guid: string, uid: string): boolean {
  const group = findGroup(data, guid);
  const member = findMember(data, guid, uid);
  return group !== undefined && rank(group, uid, member) < memberScopes.indexOf("participant");
}

function rank({ owner }: Group, uid: string, member: Member | undefined) {
  if (uid === owner) return -1;
  return member === undefined ? memberScopes.length : memberScopes.indexOf(member.scope);
}

export type Acting = AppServices & { actor: User | undefined };
