import type { AppData } from "./database.ts";
import { deleteRows, hasRow, putRow } from "./rows.ts";

/** Stores a friendship, in both directions. */
export function putFriends(
  data: AppData,
  { uid, friend, since }: { uid: string; friend: string; since: number },
): void {
  putRow(data, "friends", { uid, friend, since }, "IGNORE");
  putRow(data, "friends", { uid: friend, friend: uid, since }, "IGNORE");
}

/** Returns whether two users are friends. */
export function areFriends(data: AppData, uid: string, friend: string): boolean {
  return hasRow(data, "friends", { uid, friend });
}

/** Ends a friendship, in both directions. */
export function deleteFriends(data: AppData, uid: string, friend: string): void {
  deleteRows(data, "friends", { uid, friend });
  deleteRows(data, "friends", { uid: friend, friend: uid });
}

/** Returns since when (unix seconds) a user blocks another, or undefined. */
export function findBlock({ db, appId }: AppData, uid: string, blocked: string): number | undefined {
  return db.value(
    "SELECT blocked_at FROM blocks WHERE app_id = ? AND uid = ? AND blocked = ?",
    appId,
    uid,
    blocked,
  );
}
