import {
  allOf,
  type Condition,
  condition,
  equals,
  listCondition,
  rangeConditions,
  tagCondition,
  when,
} from "./condition.ts";
import type { AppData, Database } from "./database.ts";
import type { Member } from "./groups.ts";
import { Query } from "./query.ts";
import type { User } from "./users.ts";

export type Window = { limit: number; offset: number };

export type Part<T> = { items: T[]; total: number };

export function countUsers({ db, appId }: AppData, query: Query): number {
  const { sql, values } = userConditions(appId, query);
  return db.count(`SELECT count(*) FROM users WHERE ${sql}`, ...values);
}

export function selectUsers({ db, appId }: AppData, query: Query, window: Window): Part<User> {
  return selectPart(db, { ...userConditions(appId, query), from: "users", order: "uid" }, window);
}

export function listFirstUsers(data: AppData, limit: number): User[] {
  return selectUsers(data, everyUser, { limit, offset: 0 }).items;
}

const everyUser = new Query(new URLSearchParams({ withDeactivated: "true" }));

export function selectRelated(
  { db, appId }: AppData,
  uid: string,
  asked: { relation: "friends" | "blocked"; query: Query; window: Window },
): Part<User> {
  const { from, where } = relations[asked.relation];
  const conditions = allOf([condition(where, appId, uid), ...searchConditions(asked.query, ["name", "uid"])]);
  return selectPart(db, { ...conditions, from, order: "users.uid" }, asked.window);
}

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

export function selectPart<T>(
  db: Database,
  {
    columns = "body",
    from,
    sql,
    values,
    order,
  }: Condition & { columns?: string; from: string; order: string },
  { limit, offset }: Window,
): Part<T> {
  const page = `SELECT ${columns} FROM ${from} WHERE ${sql} ORDER BY ${order} LIMIT ? OFFSET ?`;
  return {
    items: db.entities(page, ...values, limit, offset),
    total: db.count(`SELECT count(*) FROM ${from} WHERE ${sql}`, ...values),
  };
}

function userConditions(appId: string, query: Query) {
  const onlyDeactivated = query.flag("onlyDeactivated") === true;
  return allOf([
    ...equals("app_id", appId),
    ...listCondition("role", query.list("roles")),
    ...tagCondition(query.list("tags")),
    ...rangeConditions("created_at", query.range("createdAt")),
    ...rangeConditions("updated_at", query.range("updatedAt")),
    ...equals("role", query.text("role")),
    ...equals("status", query.text("status")),
    ...when(onlyDeactivated, "deactivated_at IS NOT NULL"),
    ...when(!onlyDeactivated && query.flag("withDeactivated") !== true, "deactivated_at IS NULL"),
    ...searchConditions(query, query.list("searchIn")),
  ]);
}

// A prefix of name or uid (docs/internals/platform/users-and-groups.md#users).
function searchConditions(query: Query, fields = ["name", "uid"]) {
  const pattern = `${query.text("searchKey")?.replaceAll(/[\\%_]/g, "\\$&") ?? ""}%`;
  if (pattern === "%") return [];
  const columns = ["name", "uid"].filter((column) => fields.includes(column));
  const sql = columns.map((column) => `users.${column} LIKE ? ESCAPE '\\'`).join(" OR ") || "0";
  return [{ sql: `(${sql})`, values: columns.map(() => pattern) }];
}

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
