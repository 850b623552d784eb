import type { AppData } from "./database.ts";
import type { ReceiptAction } from "./receipts.ts";

// Counts for the metrics; all times are unix seconds.

/** Counts the users who sent something from one time to another, both included. */
export function countSenders({ db, appId }: AppData, from: number, to: number): number {
  const sql = "SELECT count(DISTINCT sender) AS n FROM messages WHERE app_id = ? AND sent_at BETWEEN ? AND ?";
  return db.count(sql, appId, from, to);
}

/** Counts the users who are online. */
export function countOnlineUsers({ db, appId }: AppData): number {
  return db.count(
    "SELECT count(*) AS n FROM users WHERE app_id = ? AND status IN ('online', 'available')",
    appId,
  );
}

/** Counts what users sent from one time until before another. */
export function countSent({ db, appId }: AppData, from: number, until: number): number {
  return db.count(
    `SELECT count(*) AS n FROM messages
         WHERE app_id = ? AND category IN ('message', 'custom') AND sent_at >= ? AND sent_at < ?`,
    appId,
    from,
    until,
  );
}

/** Counts the receipts of one kind from one time until before another. */
export function countReceipts(
  { db, appId }: AppData,
  action: ReceiptAction,
  span: { from: number; until: number },
): number {
  const sql = "SELECT count(*) AS n FROM receipts WHERE app_id = ? AND action = ? AND at >= ? AND at < ?";
  return db.count(sql, appId, action, span.from, span.until);
}

const tables = ["users", "groups", "members", "conversations", "messages", "deliveries"] as const;

/** Counts the rows that an app has in each of the tables that hold what users see. */
export function countContents({ db, appId }: AppData): Record<(typeof tables)[number], number> {
  const counts = { users: 0, groups: 0, members: 0, conversations: 0, messages: 0, deliveries: 0 };
  for (const table of tables) {
    counts[table] = db.count(`SELECT count(*) AS n FROM ${table} WHERE app_id = ?`, appId);
  }
  return counts;
}
