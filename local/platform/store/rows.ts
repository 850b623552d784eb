import { type AppData, toColumn } from "./database.ts";

/** A field `messageId` means the column `message_id`. */
type Key = Readonly<Record<string, string | number>>;

export function countRows({ db, appId }: AppData, table: string, key: Key = {}): number {
  return db.count(`SELECT count(*) FROM ${matching(table, key)}`, appId, ...Object.values(key));
}

export function hasRow(data: AppData, table: string, key: Key): boolean {
  return countRows(data, table, key) > 0;
}

export function findBody<T>({ db, appId }: AppData, table: string, key: Key): T | undefined {
  return db.entity(`SELECT body FROM ${matching(table, key)}`, appId, ...Object.values(key));
}

/** "IGNORE" keeps a row of the same key. */
export function putRow({ db, appId }: AppData, table: string, row: object, onConflict?: "IGNORE"): void {
  db.put(table, { appId, ...row }, onConflict);
}

export function deleteRows({ db, appId }: AppData, table: string, key: Key): number {
  return db.run(`DELETE FROM ${matching(table, key)}`, appId, ...Object.values(key));
}

function matching(table: string, key: Key) {
  const conditions = ["app_id", ...Object.keys(key).map(toColumn)].map((column) => `${column} = ?`);
  return `${table} WHERE ${conditions.join(" AND ")}`;
}
