import { bannedFrom, ensure, ensureField } from "../errors/platform-error.ts";
import type { JsonObject } from "../json.ts";
import { type AppData, countRows, deleteRows, findBody, findRow, hasRow, putRow } from "./database.ts";
import {
  allOf,
  type Condition,
  equals,
  forValue,
  listCondition,
  ofApp,
  type Query,
  rangeConditions,
  tagCondition,
  textConditions,
} from "./query.ts";
import { type Part, selectPart, type User, type Window } from "./users.ts";

export const memberScopes = ["admin", "moderator", "participant"] as const;

export type MemberScope = (typeof memberScopes)[number];

/** Omits reader-dependent fields. @see docs/internals/platform/users-and-groups.md#shape-of-a-group */
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

/** Keeps the stored password if none is passed. */
export function putGroup(data: AppData, group: Group, password = findGroupPassword(data, group.guid)): void {
  const { guid, name, type, membersCount, createdAt, updatedAt } = group;
  putRow(data, "groups", { guid, name, type, membersCount, password, createdAt, updatedAt, body: group });
}

export function findMember(data: AppData, guid: string, uid: string): Member | undefined {
  return findRow(data, "members", { guid, uid });
}

/** The caller updates `membersCount`. */
export function putMember(data: AppData, member: Member): void {
  const { uid, guid } = member;
  if (isBanned(data, guid, uid)) throw bannedFrom(uid, guid);
  putRow(data, "members", member);
}

/** Also deletes their conversation. The caller updates `membersCount`. */
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

/** `bannedAt` is in unix seconds. */
export function putBan(data: AppData, ban: { guid: string; uid: string; bannedAt: number }): void {
  const { uid, guid } = ban;
  ensure(!isBanned(data, guid, uid), "ERR_ALREADY_BANNED", `The user ${uid} is already banned from ${guid}.`);
  putRow(data, "banned_users", ban);
}

export function deleteBan(data: AppData, guid: string, uid: string): boolean {
  return deleteRows(data, "banned_users", { guid, uid }) > 0;
}

/** Hides private groups of others (assumed). */
export function selectGroups(
  { db, appId }: AppData,
  query: Query,
  asked: { readerUid: string | undefined; allowedTypes: readonly string[] | undefined; window: Window },
): Part<Group> {
  const joined = "guid IN (SELECT guid FROM members WHERE members.app_id = ? AND members.uid = ?)";
  const forReader = (sql: string): Condition[] =>
    asked.readerUid === undefined ? [] : [{ sql, values: [appId, asked.readerUid] }];
  const lastChange = readLastChange(query);
  const conditions = ofApp(appId, [
    ...listCondition("type", query.list("types")),
    ...listCondition("type", asked.allowedTypes),
    ...listCondition("guid", query.list("guids")),
    ...tagCondition(query.list("tags")),
    ...rangeConditions(query, "createdAt", "updatedAt", "membersCount"),
    ...forValue(lastChange?.from, `${lastChangeOf} ${lastChange?.isBefore ? "<" : ">"} ?`),
    ...textConditions(query, "type", "guid"),
    ...(query.flag("hasJoined") ? forReader(joined) : []),
    ...forReader(`(type <> 'private' OR ${joined})`),
    ...searchConditions(query),
  ]);
  return selectPart(db, { ...conditions, from: "groups", order: readOrder(query) }, asked.window);
}

function searchConditions(query: Query) {
  const key = query.text("searchKey") ?? "";
  if (key === "") return [];
  const fields = query.list("searchIn") ?? ["name", "guid"];
  const columns = ["name", "guid"].filter((column) => fields.includes(column));
  const sql = columns.map((column) => `instr(lower(${column}), lower(?)) > 0`).join(" OR ") || "0";
  return [{ sql: `(${sql})`, values: columns.map(() => key) }];
}

// Reads after (`append`) or before that time (docs/internals/platform/answers-and-errors.md#lists-by-cursor).
function readLastChange(query: Query) {
  const from = query.integer("updatedAt");
  return from === undefined ? undefined : { from, isBefore: query.text("affix") === "prepend" };
}

function readOrder(query: Query) {
  const lastChange = readLastChange(query);
  const isDescending = lastChange?.isBefore ?? query.text("sortOrder") === "desc";
  const by = query.text("sortBy") ?? "guid";
  const column = lastChange === undefined ? sortColumns.get(by) : lastChangeOf;
  ensureField(column !== undefined, "sortBy", "The sortBy must be name, guid or createdAt.");
  return `${column} ${isDescending ? "DESC" : "ASC"}, guid`;
}

const lastChangeOf = "coalesce(updated_at, created_at)";
const sortColumns = new Map([
  ["name", "name"],
  ["createdAt", "created_at"],
  ["guid", "guid"],
]);

export function selectBanned({ db, appId }: AppData, guid: string, window: Window): Part<User> {
  const from =
    "banned_users JOIN users ON users.app_id = banned_users.app_id AND users.uid = banned_users.uid";
  const sql = "banned_users.app_id = ? AND banned_users.guid = ?";
  return selectPart(db, { from, sql, values: [appId, guid], order: "banned_users.uid" }, window);
}

export function selectMembers(
  { db, appId }: AppData,
  guid: string,
  asked: { query: Query; window: Window },
): Part<Pick<Member, "scope" | "joinedAt"> & { user: User }> {
  const where = allOf([
    ...equals("members.app_id", appId),
    ...equals("members.guid", guid),
    ...listCondition("members.scope", asked.query.list("scopes")),
    ...equals("users.status", asked.query.text("status")),
  ]);
  return selectPart(
    db,
    {
      ...where,
      columns: "json_object('scope', scope, 'joinedAt', joined_at, 'user', json(body))",
      from: "members JOIN users ON users.app_id = members.app_id AND users.uid = members.uid",
      order: "members.uid",
    },
    asked.window,
  );
}
