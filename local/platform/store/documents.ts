import type { JsonObject } from "../json.ts";
import { nextNumber } from "./counters.ts";
import { type AppData, jsonObjectIn } from "./database.ts";

// A home for families with few objects (roles, moderation reasons, rules, settings): one JSON object per (kind, id).

/** Reads one document, or undefined. */
export function getDocument({ db, appId }: AppData, kind: string, id: string): JsonObject | undefined {
  const row = db.get("SELECT body FROM documents WHERE app_id = ? AND kind = ? AND id = ?", appId, kind, id);
  return row === undefined ? undefined : jsonObjectIn(row, "body");
}

/** Reads all documents of a kind in the order they were first written. */
export function listDocuments({ db, appId }: AppData, kind: string): JsonObject[] {
  return db
    .all("SELECT body FROM documents WHERE app_id = ? AND kind = ? ORDER BY seq", appId, kind)
    .map((row) => jsonObjectIn(row, "body"));
}

/** Counts the documents of a kind. */
export function countDocuments({ db, appId }: AppData, kind: string): number {
  return db.count("SELECT count(*) AS n FROM documents WHERE app_id = ? AND kind = ?", appId, kind);
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

/** Deletes a document and tells whether it was there. */
export function deleteDocument({ db, appId }: AppData, kind: string, id: string): boolean {
  return db.run("DELETE FROM documents WHERE app_id = ? AND kind = ? AND id = ?", appId, kind, id) > 0;
}
