import {
  allOf,
  type Condition,
  equals,
  type FilterFields,
  listCondition,
  type Range,
  rangeConditions,
  tagCondition,
} from "./condition.ts";
import { type AppData, type Database, entityIn } from "./database.ts";
import { type Member, toMember } from "./groups.ts";
import { isUser, type User } from "./users.ts";

/** Which rows of a list to give. */
export type Window = { limit: number; offset: number };

/** Says which users a list is to hold; what is absent filters nothing. Times are unix seconds. */
export type UserFilter = FilterFields<{
  roles: readonly string[];
  tags: readonly string[];
  createdAt: Range;
  updatedAt: Range;
  role: string;
  status: string;
  search: UserSearch;
}> & { activity: "active" | "deactivated" | "all" };

/** A prefix of a user's name or uid, whichever of the two `fields` names. @see docs/platform/users-and-groups.md#users */
export type UserSearch = { key: string; fields: readonly string[] };

/** Counts an app's users that a filter lets through. */
export function countUsers({ db, appId }: AppData, filter: UserFilter): number {
  const { sql, values } = userConditions(appId, filter);
  return db.count(`SELECT count(*) AS n FROM users WHERE ${sql}`, ...values);
}

/** Lists an app's users that a filter lets through, by uid. */
export function selectUsers({ db, appId }: AppData, filter: UserFilter, window: Window): User[] {
  const { sql, values } = userConditions(appId, filter);
  return db.entities(
    isUser,
    `SELECT body FROM users WHERE ${sql} ORDER BY uid LIMIT ? OFFSET ?`,
    ...values,
    window.limit,
    window.offset,
  );
}

/** Lists the first users of an app by uid, deactivated ones included. */
export function listFirstUsers(data: AppData, limit: number): User[] {
  return selectUsers(data, { activity: "all" }, { limit, offset: 0 });
}

/** Lists a user's active friends, or those the user blocks, by uid, and counts them all. */
export function selectRelated(
  { db, appId }: AppData,
  uid: string,
  asked: { relation: "friends" | "blocked"; search: UserSearch | undefined; window: Window },
): { users: User[]; total: number } {
  const { from, where } = relations[asked.relation];
  const related = { sql: where, values: [appId, uid] };
  const { sql, values } = allOf([related, ...searchConditions(asked.search)]);
  return selectJoined(db, { from, sql, values, order: "users.uid" }, asked.window);
}

/** Lists the banned users of a group, by uid, and counts them all. */
export function selectBanned(
  { db, appId }: AppData,
  guid: string,
  window: Window,
): { users: User[]; total: number } {
  const from =
    "banned_users JOIN users ON users.app_id = banned_users.app_id AND users.uid = banned_users.uid";
  const sql = "banned_users.app_id = ? AND banned_users.guid = ?";
  return selectJoined(db, { from, sql, values: [appId, guid], order: "banned_users.uid" }, window);
}

/** Lists the members of a group with their users, and counts them all. */
export function selectMembers(
  { db, appId }: AppData,
  guid: string,
  asked: { scopes: readonly string[] | undefined; status: string | undefined; window: Window },
): { members: { member: Member; user: User }[]; total: number } {
  const from = "members JOIN users ON users.app_id = members.app_id AND users.uid = members.uid";
  const { sql, values } = allOf([
    { sql: "members.app_id = ?", values: [appId] },
    { sql: "members.guid = ?", values: [guid] },
    ...listCondition("members.scope", asked.scopes),
    ...equals("users.status", asked.status),
  ]);
  const rows = db.all(
    `SELECT members.*, users.body AS body FROM ${from} WHERE ${sql} ORDER BY members.uid LIMIT ? OFFSET ?`,
    ...values,
    asked.window.limit,
    asked.window.offset,
  );
  return {
    members: rows.map((row) => ({ member: toMember(row), user: entityIn(row, "body", isUser) })),
    total: db.count(`SELECT count(*) AS n FROM ${from} WHERE ${sql}`, ...values),
  };
}

function userConditions(appId: string, filter: UserFilter): Condition {
  return allOf([
    ...equals("app_id", appId),
    ...listCondition("role", filter.roles),
    ...tagCondition(filter.tags),
    ...rangeConditions("created_at", filter.createdAt),
    ...rangeConditions("updated_at", filter.updatedAt),
    ...equals("role", filter.role),
    ...equals("status", filter.status),
    ...activities[filter.activity],
    ...searchConditions(filter.search),
  ]);
}

function searchConditions(search: UserSearch | undefined): Condition[] {
  if (search === undefined) return [];
  const columns = ["name", "uid"]
    .filter((column) => search.fields.includes(column))
    .map((column) => `users.${column}`);
  const pattern = `${search.key.replaceAll(/[\\%_]/g, "\\$&")}%`;
  return [
    {
      sql: `(${columns.map((column) => `${column} LIKE ? ESCAPE '\\'`).join(" OR ") || "0"})`,
      values: columns.map(() => pattern),
    },
  ];
}

function selectJoined(
  db: Database,
  { from, sql, values, order }: Condition & { from: string; order: string },
  window: Window,
): { users: User[]; total: number } {
  const page = `SELECT users.body AS body FROM ${from} WHERE ${sql} ORDER BY ${order} LIMIT ? OFFSET ?`;
  return {
    users: db.entities(isUser, page, ...values, window.limit, window.offset),
    total: db.count(`SELECT count(*) AS n FROM ${from} WHERE ${sql}`, ...values),
  };
}

const activities = {
  active: [{ sql: "deactivated_at IS NULL", values: [] }],
  deactivated: [{ sql: "deactivated_at IS NOT NULL", values: [] }],
  all: [],
};

const relations = {
  friends: {
    from: "friends JOIN users ON users.app_id = friends.app_id AND users.uid = friends.friend",
    where: "friends.app_id = ? AND friends.uid = ? AND users.deactivated_at IS NULL",
  },
  blocked: {
    from: "blocks JOIN users ON users.app_id = blocks.app_id AND users.uid = blocks.blocked",
    where: "blocks.app_id = ? AND blocks.uid = ?",
  },
};
