import type { JsonObject } from "../json.ts";
import { type AppData, toColumn } from "./database.ts";

// For families with few objects.

export function getDocument<T = JsonObject>(data: AppData, kind: string, id: string): T | undefined {
  return findBody(data, "documents", { kind, id });
}

export function listDocuments<T = JsonObject>({ db, appId }: AppData, kind: string): T[] {
  return db.entities("SELECT body FROM documents WHERE app_id = ? AND kind = ? ORDER BY seq", appId, kind);
}

export function countDocuments(data: AppData, kind: string): number {
  return countRows(data, "documents", { kind });
}

/** An existing one keeps its place in the list. */
export function putDocument({ db, appId }: AppData, kind: string, id: string, body: JsonObject): void {
  db.run(
    `INSERT INTO documents (app_id, kind, id, seq, body) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (app_id, kind, id) DO UPDATE SET body = excluded.body`,
    appId,
    kind,
    id,
    nextNumber({ db, appId }, `document:${kind}`),
    JSON.stringify(body),
  );
}

export function deleteDocument(data: AppData, kind: string, id: string): boolean {
  return deleteRows(data, "documents", { kind, id }) > 0;
}

/** From 1, never the same twice, also after deletes. */
export function nextNumber({ db, appId }: AppData, name: string): number {
  return db.count(
    `INSERT INTO counters (app_id, name, value) VALUES (?, ?, 1)
     ON CONFLICT (app_id, name) DO UPDATE SET value = value + 1 RETURNING value`,
    appId,
    name,
  );
}

/** Never gives numbers up to `value` again. */
export function skipNumbers({ db, appId }: AppData, name: string, value: number): void {
  db.run(
    `INSERT INTO counters (app_id, name, value) VALUES (?, ?, ?)
     ON CONFLICT (app_id, name) DO UPDATE SET value = max(value, excluded.value)`,
    appId,
    name,
    value,
  );
}

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
