import type { JsonObject } from "../json.ts";
import type { AppData } from "./database.ts";
import { findBody, putRow } from "./rows.ts";

/**
 * Timestamps are unix seconds; `deactivatedAt` only while deactivated.
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

/** Acts when no user does. @see docs/internals/platform/addressing-and-keys.md#acting-user */
export const systemUser: User = {
  uid: "app_system",
  name: "System",
  role: "default",
  status: "offline",
  createdAt: 1_596_537_299,
};

/** Finds deactivated users, but not the system user. */
export function findUser(data: AppData, uid: string): User | undefined {
  return findBody(data, "users", { uid });
}

export function findActiveUser(data: AppData, uid: string): User | undefined {
  const user = findUser(data, uid);
  return user?.deactivatedAt === undefined ? user : undefined;
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
