import { type AppData, toColumn } from "./database.ts";

/** Values that rows have in their columns; a field `messageId` means the column `message_id`. */
type Key = Readonly<Record<string, string | number>>;

/** Counts an app's rows of a table that have these values. */
export function countRows({ db, appId }: AppData, table: string, key: Key = {}): number {
  return db.count(`SELECT count(*) FROM ${matching(table, key)}`, appId, ...Object.values(key));
}

/** Returns whether an app has a row with these values. */
export function hasRow(data: AppData, table: string, key: Key): boolean {
  return countRows(data, table, key) > 0;
}

/** Finds the entity in the column `body` of the row with these values. */
export function findBody<T>({ db, appId }: AppData, table: string, key: Key): T | undefined {
  return db.entity(`SELECT body FROM ${matching(table, key)}`, appId, ...Object.values(key));
}

/** Writes a row of an app; "IGNORE" keeps one of the same key. */
export function putRow({ db, appId }: AppData, table: string, row: object, onConflict?: "IGNORE"): void {
  db.put(table, { appId, ...row }, onConflict);
}

/** Deletes an app's rows of a table that have these values, and returns how many there were. */
export function deleteRows({ db, appId }: AppData, table: string, key: Key): number {
  return db.run(`DELETE FROM ${matching(table, key)}`, appId, ...Object.values(key));
}

function matching(table: string, key: Key) {
  const conditions = ["app_id", ...Object.keys(key).map(toColumn)].map((column) => `${column} = ?`);
  return `${table} WHERE ${conditions.join(" AND ")}`;
}
