import type { AppData } from "./database.ts";
import { deleteRows, hasRow, putRow } from "./rows.ts";

/** In both directions. */
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

/** Unix seconds. */
export function findBlock({ db, appId }: AppData, uid: string, blocked: string): number | undefined {
  return db.value(
    "SELECT blocked_at FROM blocks WHERE app_id = ? AND uid = ? AND blocked = ?",
    appId,
    uid,
    blocked,
  );
}
