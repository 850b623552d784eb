import type { Database } from "./database.ts";
import { integerIn } from "./row.ts";

const tables = ["users", "groups", "members", "conversations", "messages", "deliveries"] as const;

/** Counts the rows that an app has in each of the tables that hold what users see. */
export function countContents(db: Database, appId: string): Record<(typeof tables)[number], number> {
  const counts = { users: 0, groups: 0, members: 0, conversations: 0, messages: 0, deliveries: 0 };
  for (const table of tables) {
    const row = db.get(`SELECT count(*) AS n FROM ${table} WHERE app_id = ?`, appId);
    counts[table] = row === undefined ? 0 : integerIn(row, "n");
  }
  return counts;
}
