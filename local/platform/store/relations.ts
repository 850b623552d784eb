import type { AppData } from "./database.ts";

/** Stores a friendship, in both directions. */
export function putFriends(
  { db, appId }: AppData,
  pair: { uid: string; friend: string; since: number },
): void {
  const { uid, friend, since } = pair;
  db.put("friends", { appId, uid, friend, since }, "IGNORE");
  db.put("friends", { appId, uid: friend, friend: uid, since }, "IGNORE");
}

/** Returns whether two users are friends. */
export function areFriends({ db, appId }: AppData, uid: string, friend: string): boolean {
  return db.has(
    "SELECT 1 AS hit FROM friends WHERE app_id = ? AND uid = ? AND friend = ?",
    appId,
    uid,
    friend,
  );
}

/** Counts a user's friends. */
export function countFriends({ db, appId }: AppData, uid: string): number {
  return db.count("SELECT count(*) AS n FROM friends WHERE app_id = ? AND uid = ?", appId, uid);
}

/** Ends a friendship, in both directions. */
export function deleteFriends({ db, appId }: AppData, uid: string, friend: string): void {
  db.run(
    "DELETE FROM friends WHERE app_id = ? AND ((uid = ? AND friend = ?) OR (uid = ? AND friend = ?))",
    appId,
    uid,
    friend,
    friend,
    uid,
  );
}

/** Stores that a user blocks another; the same again keeps the first time. */
export function putBlock(
  { db, appId }: AppData,
  block: { uid: string; blocked: string; blockedAt: number },
): void {
  db.put("blocks", { appId, ...block }, "IGNORE");
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

/** Ends a block and returns whether it was there. */
export function deleteBlock({ db, appId }: AppData, uid: string, blocked: string): boolean {
  return db.run("DELETE FROM blocks WHERE app_id = ? AND uid = ? AND blocked = ?", appId, uid, blocked) > 0;
}
