import { bannedFrom, ensure } from "../errors/platform-error.ts";
import type { JsonObject } from "../json.ts";
import type { AppData } from "./database.ts";
import { countRows, deleteRows, findBody, hasRow, putRow } from "./rows.ts";

/** Highest first. */
export const memberScopes = ["admin", "moderator", "participant"] as const;

export type MemberScope = (typeof memberScopes)[number];

/**
 * Without the password and what depends on the reader.
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

/** `joinedAt` is in unix seconds. */
export type Member = { guid: string; uid: string; scope: MemberScope; joinedAt: number };

export function findGroup(data: AppData, guid: string): Group | undefined {
  return findBody(data, "groups", { guid });
}

export function findGroupPassword({ db, appId }: AppData, guid: string): string | undefined {
  return db.value("SELECT password FROM groups WHERE app_id = ? AND guid = ?", appId, guid);
}

/** `password` undefined keeps the one that is stored. */
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

export function findMember({ db, appId }: AppData, guid: string, uid: string): Member | undefined {
  return db.row(
    "SELECT guid, uid, scope, joined_at FROM members WHERE app_id = ? AND guid = ? AND uid = ?",
    appId,
    guid,
    uid,
  );
}

/**
 * The caller updates the group's `membersCount`.
 * @throws PlatformError ERR_BANNED_GROUPMEMBER
 */
export function putMember(data: AppData, member: Member): void {
  const { uid, guid } = member;
  if (isBanned(data, guid, uid)) throw bannedFrom(uid, guid);
  putRow(data, "members", member);
}

/** With their conversation. The caller updates the group's `membersCount`. */
export function deleteMember(data: AppData, guid: string, uid: string): void {
  deleteRows(data, "members", { guid, uid });
  deleteRows(data, "conversations", { type: "group", peer: guid, uid });
}

export function listMemberUids({ db, appId }: AppData, guid: string): string[] {
  return db.values("SELECT uid FROM members WHERE app_id = ? AND guid = ? ORDER BY uid", appId, guid);
}

export function countMembers(data: AppData, guid: string): number {
  return countRows(data, "members", { guid });
}

export function countOnlineMembers({ db, appId }: AppData, guid: string): number {
  return db.count(
    `SELECT count(*) AS n FROM members JOIN users ON users.app_id = members.app_id AND users.uid = members.uid
     WHERE members.app_id = ? AND members.guid = ? AND users.status IN ('available', 'online')`,
    appId,
    guid,
  );
}

export function isBanned(data: AppData, guid: string, uid: string): boolean {
  return hasRow(data, "banned_users", { guid, uid });
}

/** `bannedAt` is in unix seconds. @throws PlatformError ERR_ALREADY_BANNED */
export function putBan(data: AppData, ban: { guid: string; uid: string; bannedAt: number }): void {
  const { uid, guid } = ban;
  ensure(!isBanned(data, guid, uid), "ERR_ALREADY_BANNED", `The user ${uid} is already banned from ${guid}.`);
  putRow(data, "banned_users", ban);
}

export function deleteBan(data: AppData, guid: string, uid: string): boolean {
  return deleteRows(data, "banned_users", { guid, uid }) > 0;
}
