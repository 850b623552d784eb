import { type AppData, countRows } from "./database.ts";
import type { ReceiptAction } from "./receipts.ts";

// Times are unix seconds.
export function countSenders({ db, appId }: AppData, from: number, to: number): number {
  const sql = "SELECT count(DISTINCT sender) AS n FROM messages WHERE app_id = ? AND sent_at BETWEEN ? AND ?";
  return db.count(sql, appId, from, to);
}

export function countOnlineUsers({ db, appId }: AppData): number {
  return db.count(
    "SELECT count(*) AS n FROM users WHERE app_id = ? AND status IN ('online', 'available')",
    appId,
  );
}

export function countSent({ db, appId }: AppData, from: number, until: number): number {
  return db.count(
    `SELECT count(*) AS n FROM messages
         WHERE app_id = ? AND category IN ('message', 'custom') AND sent_at >= ? AND sent_at < ?`,
    appId,
    from,
    until,
  );
}

export function countReceipts(
  { db, appId }: AppData,
  action: ReceiptAction,
  span: { from: number; until: number },
): number {
  const sql = "SELECT count(*) AS n FROM receipts WHERE app_id = ? AND action = ? AND at >= ? AND at < ?";
  return db.count(sql, appId, action, span.from, span.until);
}

export function countContents(data: AppData) {
  const count = (table: string) => countRows(data, table);
  return {
    users: count("users"),
    groups: count("groups"),
    members: count("members"),
    conversations: count("conversations"),
    messages: count("messages"),
    deliveries: count("deliveries"),
  };
}
