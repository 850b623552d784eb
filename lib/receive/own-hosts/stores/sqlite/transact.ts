import type { DatabaseSync } from "node:sqlite";
import { isRecord } from "../../../../base/json.ts";
import { pause } from "../../../../base/timers.ts";

/** Runs synchronous work. @throws its errors, and SQLite's if the file cannot be written */
export function inTransaction<T>(database: DatabaseSync, work: () => T): T {
  database.exec("BEGIN IMMEDIATE");
  try {
    const result = work();
    database.exec("COMMIT");
    return result;
  } catch (error) {
    try {
      database.exec("ROLLBACK");
    } catch {
      // SQLite has rolled back already.
    }
    throw error;
  }
}

/** Waits while another process writes and `mayRetry`, without blocking this process. */
export async function transact<T>(
  database: DatabaseSync,
  work: () => T,
  mayRetry: () => boolean,
): Promise<T> {
  for (;;) {
    try {
      return inTransaction(database, work);
    } catch (error) {
      if (!isLocked(error) || !mayRetry()) throw error;
      await pause(lockedMs);
    }
  }
}

const lockedMs = 10;

/** Also compares extended codes. @see https://sqlite.org/rescode.html */
function isLocked(error: unknown): boolean {
  const code = isRecord(error) && typeof error.errcode === "number" ? error.errcode & 0xff : 0;
  return code === 5 || code === 6;
}
