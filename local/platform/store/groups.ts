import type { JsonObject } from "../json.ts";
import type { AppData } from "./database.ts";
import { countRows, deleteRows, findBody, hasRow, putRow } from "./rows.ts";

/** Names what a member may do in a group, highest first. */
export const memberScopes = ["admin", "moderator", "participant"] as const;

/** Names one of the scopes. */
export type MemberScope = (typeof memberScopes)[number];

/**
 * Describes a group as stored (without what depends on the reader, and without its password).
 * @see docs/internals/platform/users-and-groups.md#shape-of-a-group
 */
export type Group = {
  guid: string;
  name: string;
  description?: string;
  icon?: string;
  type: string;
  membersCount: number;
  conversationId: string;
  metadata?: JsonObject;
  createdAt: number;
  owner: string;
  tags?: string[];
  updatedAt?: number;
  updatedBy?: string;
};

/** Describes one membership. `joinedAt` is in unix seconds. */
export type Member = { guid: string; uid: string; scope: MemberScope; joinedAt: number };

/** Finds a group, or undefined. */
export function findGroup(data: AppData, guid: string): Group | undefined {
  return findBody(data, "groups", { guid });
}

/** Reads the password of a `password` group. */
export function findGroupPassword({ db, appId }: AppData, guid: string): string | undefined {
  return db.value("SELECT password FROM groups WHERE app_id = ? AND guid = ?", appId, guid);
}

/** Stores a group, new or changed. `password` undefined keeps the one that is stored. */
export function putGroup({ db, appId }: AppData, group: Group, password?: string): void {
  db.run(
    `INSERT INTO groups (app_id, guid, name, type, members_count, password, created_at, updated_at, body)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (app_id, guid) DO UPDATE SET name = excluded.name, type = excluded.type,
       members_count = excluded.members_count, password = coalesce(excluded.password, password),
       updated_at = excluded.updated_at, body = excluded.body`,
    appId,
    group.guid,
    group.name,
    group.type,
    group.membersCount,
    password ?? null,
    group.createdAt,
    group.updatedAt ?? null,
    JSON.stringify(group),
  );
}

/** Finds a membership, or undefined. */
export function findMember({ db, appId }: AppData, guid: string, uid: string): Member | undefined {
  return db.row(
    "SELECT guid, uid, scope, joined_at FROM members WHERE app_id = ? AND guid = ? AND uid = ?",
    appId,
    guid,
    uid,
  );
}

/** Stores a membership, new or changed; the caller keeps the group's `membersCount`. */
export function putMember(data: AppData, member: Member): void {
  putRow(data, "members", member);
}

/** Deletes a membership and returns whether it was there. */
export function deleteMember(data: AppData, guid: string, uid: string): boolean {
  return deleteRows(data, "members", { guid, uid }) > 0;
}

/** Lists the uids of a group's members, in their order. */
export function listMemberUids({ db, appId }: AppData, guid: string): string[] {
  return db.values("SELECT uid FROM members WHERE app_id = ? AND guid = ? ORDER BY uid", appId, guid);
}

/** Counts the members of a group. */
export function countMembers(data: AppData, guid: string): number {
  return countRows(data, "members", { guid });
}

/** Counts the members of a group who are online. */
export function countOnlineMembers({ db, appId }: AppData, guid: string): number {
  return db.count(
    `SELECT count(*) AS n FROM members JOIN users ON users.app_id = members.app_id AND users.uid = members.uid
     WHERE members.app_id = ? AND members.guid = ? AND users.status IN ('available', 'online')`,
    appId,
    guid,
  );
}

/** Returns whether a user is banned from a group. */
export function isBanned(data: AppData, guid: string, uid: string): boolean {
  return hasRow(data, "banned_users", { guid, uid });
}

/** Stores a ban; the same again does nothing. `bannedAt` is in unix seconds. */
export function putBan(data: AppData, ban: { guid: string; uid: string; bannedAt: number }): void {
  putRow(data, "banned_users", ban, "IGNORE");
}

/** Lifts a ban and returns whether it was there. */
export function deleteBan(data: AppData, guid: string, uid: string): boolean {
  return deleteRows(data, "banned_users", { guid, uid }) > 0;
}
