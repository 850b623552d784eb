import type { JsonObject } from "../json.ts";
import { type AppData, type Database, deleteRows, findBody, hasRow, nextNumber, putRow } from "./database.ts";
import {
  allOf,
  type Condition,
  condition,
  listCondition,
  ofApp,
  Query,
  rangeConditions,
  tagCondition,
  textConditions,
  when,
} from "./query.ts";

/** Times are unix seconds. @see docs/internals/platform/users-and-groups.md#shape-of-a-user */
export type User = {
  uid: string;
  name: string;
  avatar?: string;
  link?: string;
  metadata?: JsonObject;
  status: string;
  statusMessage?: string;
  role: string;
  tags?: string[];
  createdAt: number;
  updatedAt?: number;
  lastActiveAt?: number;
  deactivatedAt?: number;
};

export const systemUser: User = {
  uid: "app_system",
  name: "System",
  role: "default",
  status: "offline",
  createdAt: 1_596_537_299,
};

export function findUser(data: AppData, uid: string): User | undefined {
  return findBody(data, "users", { uid });
}

export function findActiveUser(data: AppData, uid: string): User | undefined {
  const user = findUser(data, uid);
  return user?.deactivatedAt === undefined ? user : undefined;
}

/** Uses the uid as the name of a missing user. */
export function findUserOrStandIn(data: AppData, uid: string): User {
  return findUser(data, uid) ?? { ...systemUser, uid, name: uid };
}

export function putUser(data: AppData, user: User): void {
  const { uid, name, role, status, createdAt, updatedAt, deactivatedAt } = user;
  putRow(data, "users", { uid, name, role, status, createdAt, updatedAt, deactivatedAt, body: user });
}

export function changeRoleOfUsers({ db, appId }: AppData, from: string, to: string): void {
  db.run(
    `UPDATE users SET role = ?, body = json_set(body, '$.role', ?) WHERE app_id = ? AND role = ?`,
    to,
    to,
    appId,
    from,
  );
}

export function putFriends(
  data: AppData,
  { uid, friend, since }: { uid: string; friend: string; since: number },
): void {
  putRow(data, "friends", { uid, friend, since }, "IGNORE");
  putRow(data, "friends", { uid: friend, friend: uid, since }, "IGNORE");
}

export function areFriends(data: AppData, uid: string, friend: string): boolean {
  return hasRow(data, "friends", { uid, friend });
}

export function deleteFriends(data: AppData, uid: string, friend: string): void {
  deleteRows(data, "friends", { uid, friend });
  deleteRows(data, "friends", { uid: friend, friend: uid });
}

export function isBlockedBy(data: AppData, uid: string, other: string): boolean {
  return findBlock(data, uid, other) !== undefined;
}

/** Returns unix seconds. */
export function findBlock({ db, appId }: AppData, uid: string, blocked: string): number | undefined {
  return db.value(
    "SELECT blocked_at FROM blocks WHERE app_id = ? AND uid = ? AND blocked = ?",
    appId,
    uid,
    blocked,
  );
}

/** Times are unix seconds. */
export type AuthToken = {
  uid: string;
  authToken: string;
  createdAt: number;
  platform?: string;
  userAgent?: string;
  appInfo?: JsonObject;
};

/** @see docs/internals/platform/addressing-and-keys.md#auth-tokens */
export function insertAuthToken({ db, appId }: AppData, token: AuthToken): void {
  const { authToken, uid, createdAt } = token;
  const seq = nextNumber({ db, appId }, "auth_token");
  db.put("auth_tokens", { appId, authToken, uid, createdAt, seq, body: token });
  db.run(
    `UPDATE auth_tokens SET archived = 1 WHERE app_id = ? AND uid = ? AND archived = 0 AND auth_token NOT IN (
         SELECT auth_token FROM auth_tokens WHERE app_id = ? AND uid = ? AND archived = 0 ORDER BY seq DESC LIMIT ?)`,
    appId,
    token.uid,
    appId,
    token.uid,
    maxActiveTokens,
  );
}

export function updateAuthToken({ db, appId }: AppData, token: AuthToken): void {
  db.run(
    "UPDATE auth_tokens SET body = ? WHERE app_id = ? AND auth_token = ?",
    JSON.stringify(token),
    appId,
    token.authToken,
  );
}

export function findTokenOwner(data: AppData, authToken: string): string | undefined {
  const token = findBody<AuthToken>(data, "auth_tokens", { authToken, archived: 0 });
  return token && findActiveUser(data, token.uid)?.uid;
}

export function listActiveAuthTokens({ db, appId }: AppData, uid: string): AuthToken[] {
  return db.entities(
    "SELECT body FROM auth_tokens WHERE app_id = ? AND uid = ? AND archived = 0 ORDER BY seq DESC",
    appId,
    uid,
  );
}

const maxActiveTokens = 100;

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
  return ofApp(appId, [
    ...listCondition("role", query.list("roles")),
    ...tagCondition(query.list("tags")),
    ...rangeConditions(query, "createdAt", "updatedAt"),
    ...textConditions(query, "role", "status"),
    ...when(onlyDeactivated, "deactivated_at IS NOT NULL"),
    ...when(!onlyDeactivated && query.flag("withDeactivated") !== true, "deactivated_at IS NULL"),
    ...searchConditions(query, query.list("searchIn")),
  ]);
}

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
