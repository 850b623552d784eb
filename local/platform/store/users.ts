import type { JsonObject } from "../json.ts";
import type { AppData } from "./database.ts";
import { findBody, putRow } from "./rows.ts";

/**
 * Describes a user as stored. Timestamps are unix seconds; `deactivatedAt` only while deactivated.
 * @see docs/internals/platform/users-and-groups.md#shape-of-a-user
 */
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

/** Shows who acts when no user does. @see docs/internals/platform/addressing-and-keys.md#acting-user */
export const systemUser: User = {
  uid: "app_system",
  name: "System",
  role: "default",
  status: "offline",
  createdAt: 1_596_537_299,
};

/** Finds a user, deactivated or not. The system user is not one of them. */
export function findUser(data: AppData, uid: string): User | undefined {
  return findBody(data, "users", { uid });
}

/** Finds a user who is not deactivated. */
export function findActiveUser(data: AppData, uid: string): User | undefined {
  const user = findUser(data, uid);
  return user?.deactivatedAt === undefined ? user : undefined;
}

/** Stores a user, new or changed. */
export function putUser(data: AppData, user: User): void {
  const { uid, name, role, status, createdAt, updatedAt, deactivatedAt } = user;
  putRow(data, "users", { uid, name, role, status, createdAt, updatedAt, deactivatedAt, body: user });
}

/** Returns all users of a role another one. */
export function changeRoleOfUsers({ db, appId }: AppData, from: string, to: string): void {
  db.run(
    `UPDATE users SET role = ?, body = json_set(body, '$.role', ?) WHERE app_id = ? AND role = ?`,
    to,
    to,
    appId,
    from,
  );
}
