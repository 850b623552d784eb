import type { Database } from "./database.ts";
import { integerIn } from "./row.ts";

/** Stores a friendship, in both directions. */
export function putFriends(
  db: Database,
  appId: string,
  pair: { uid: string; friend: string; since: number },
): void {
  for (const [uid, friend] of [
    [pair.uid, pair.friend],
    [pair.friend, pair.uid],
  ] as const) {
    db.run(
      "INSERT OR IGNORE INTO friends (app_id, uid, friend, since) VALUES (?, ?, ?, ?)",
      appId,
      uid,
      friend,
      pair.since,
    );
  }
}

/** Tells whether two users are friends. */
export function areFriends(db: Database, appId: string, uid: string, friend: string): boolean {
  const row = db.get(
    "SELECT 1 AS hit FROM friends WHERE app_id = ? AND uid = ? AND friend = ?",
    appId,
    uid,
    friend,
  );
  return row !== undefined;
}

/** Counts a user's friends. */
export function countFriends(db: Database, appId: string, uid: string): number {
  const row = db.get("SELECT count(*) AS n FROM friends WHERE app_id = ? AND uid = ?", appId, uid);
  return row === undefined ? 0 : integerIn(row, "n");
}

/** Ends a friendship, in both directions. */
export function deleteFriends(db: Database, appId: string, uid: string, friend: string): void {
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
  db: Database,
  appId: string,
  block: { uid: string; blocked: string; at: number },
): void {
  db.run(
    "INSERT OR IGNORE INTO blocks (app_id, uid, blocked, blocked_at) VALUES (?, ?, ?, ?)",
    appId,
    block.uid,
    block.blocked,
    block.at,
  );
}

/** Gives since when (unix seconds) a user blocks another, or undefined. */
export function findBlock(db: Database, appId: string, uid: string, blocked: string): number | undefined {
  const row = db.get(
    "SELECT blocked_at FROM blocks WHERE app_id = ? AND uid = ? AND blocked = ?",
    appId,
    uid,
    blocked,
  );
  return row === undefined ? undefined : integerIn(row, "blocked_at");
}

/** Ends a block and tells whether it was there. */
export function deleteBlock(db: Database, appId: string, uid: string, blocked: string): boolean {
  return db.run("DELETE FROM blocks WHERE app_id = ? AND uid = ? AND blocked = ?", appId, uid, blocked) > 0;
}
