import type { SQLInputValue } from "node:sqlite";
import type { Database } from "./database.ts";
import type { ReceiptAction } from "./receipts.ts";
import { integerIn } from "./row.ts";

// Counts for the metrics; all times are unix seconds.

/** Counts the users who sent something from one time to another, both included. */
export function countSenders(db: Database, appId: string, from: number, to: number): number {
  const sql = "SELECT count(DISTINCT sender) AS n FROM messages WHERE app_id = ? AND sent_at BETWEEN ? AND ?";
  return count(db, sql, appId, from, to);
}

/** Counts the users who are online. */
export function countOnlineUsers(db: Database, appId: string): number {
  return count(
    db,
    "SELECT count(*) AS n FROM users WHERE app_id = ? AND status IN ('online', 'available')",
    appId,
  );
}

/** Counts what users sent from one time until before another. */
export function countSent(db: Database, appId: string, from: number, until: number): number {
  return count(
    db,
    `SELECT count(*) AS n FROM messages
         WHERE app_id = ? AND category IN ('message', 'custom') AND sent_at >= ? AND sent_at < ?`,
    appId,
    from,
    until,
  );
}

/** Counts the receipts of one kind from one time until before another. */
export function countReceipts(
  db: Database,
  appId: string,
  action: ReceiptAction,
  span: { from: number; until: number },
): number {
  const sql = "SELECT count(*) AS n FROM receipts WHERE app_id = ? AND action = ? AND at >= ? AND at < ?";
  return count(db, sql, appId, action, span.from, span.until);
}

function count(db: Database, sql: string, ...values: SQLInputValue[]): number {
  const row = db.get(sql, ...values);
  return row === undefined ? 0 : integerIn(row, "n");
}
