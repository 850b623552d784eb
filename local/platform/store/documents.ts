import type { JsonObject } from "../json.ts";
import type { AppData } from "./database.ts";
import { countRows, deleteRows, findBody } from "./rows.ts";

// A home for families with few objects (roles, moderation reasons, rules, settings): one JSON object per
// (kind, id).

/** Reads one document, or undefined. */
export function getDocument<T = JsonObject>(data: AppData, kind: string, id: string): T | undefined {
  return findBody(data, "documents", { kind, id });
}

/** Reads all documents of a kind in the order they were first written. */
export function listDocuments<T = JsonObject>({ db, appId }: AppData, kind: string): T[] {
  return db.entities("SELECT body FROM documents WHERE app_id = ? AND kind = ? ORDER BY seq", appId, kind);
}

/** Counts the documents of a kind. */
export function countDocuments(data: AppData, kind: string): number {
  return countRows(data, "documents", { kind });
}

/** Writes a document, new or not; an existing one keeps its place in the list. */
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

/** Deletes a document and returns whether it was there. */
export function deleteDocument(data: AppData, kind: string, id: string): boolean {
  return deleteRows(data, "documents", { kind, id }) > 0;
}

/** Returns the next number of a counter of an app, from 1, never the same twice (also after deletes). */
export function nextNumber({ db, appId }: AppData, name: string): number {
  return db.count(
    `INSERT INTO counters (app_id, name, value) VALUES (?, ?, 1)
     ON CONFLICT (app_id, name) DO UPDATE SET value = value + 1 RETURNING value`,
    appId,
    name,
  );
}

/** Makes numbers up to `value` never be given; what was given already stays given. */
export function skipNumbers({ db, appId }: AppData, name: string, value: number): void {
  db.run(
    `INSERT INTO counters (app_id, name, value) VALUES (?, ?, ?)
     ON CONFLICT (app_id, name) DO UPDATE SET value = max(value, excluded.value)`,
    appId,
    name,
    value,
  );
}
