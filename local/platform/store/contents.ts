import type { AppData } from "./database.ts";

const tables = ["users", "groups", "members", "conversations", "messages", "deliveries"] as const;

/** Counts the rows that an app has in each of the tables that hold what users see. */
export function countContents({ db, appId }: AppData): Record<(typeof tables)[number], number> {
  const counts = { users: 0, groups: 0, members: 0, conversations: 0, messages: 0, deliveries: 0 };
  for (const table of tables) {
    counts[table] = db.count(`SELECT count(*) AS n FROM ${table} WHERE app_id = ?`, appId);
  }
  return counts;
}
