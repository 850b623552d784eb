import type { JsonObject } from "../json.ts";
import type { Condition } from "./condition.ts";
import type { AppData } from "./database.ts";

export const fileKind = "message-file";

/** Notes the kept files that a message's attachments lead to, besides those that an edit took out of them. */
export function noteFiles({ db, appId }: AppData, id: string, { attachments, url }: JsonObject): void {
  if (attachments === undefined && url === undefined) return;
  const ids = JSON.stringify([attachments, url]).match(/\b[0-9a-f]{24}\b/g) ?? [];
  db.run(
    `INSERT OR IGNORE INTO message_files SELECT app_id, ?, id FROM documents
     WHERE app_id = ? AND kind = ? AND id IN (SELECT value FROM json_each(?))`,
    ...[id, appId, fileKind, JSON.stringify(ids)],
  );
}

/** Returns the ids of the files that messages have, or had before an edit. */
export function filesOf({ db, appId }: AppData, { sql, values }: Condition): string[] {
  return db.values(
    `SELECT DISTINCT file_id FROM message_files
     WHERE app_id = ? AND message_id IN (SELECT id FROM messages WHERE ${sql})`,
    appId,
    ...values,
  );
}

/** Removes a file unless the attachments of a message lead to it. */
export function removeUnnamed({ db, appId }: AppData, fileId: string): void {
  db.run(
    `DELETE FROM documents WHERE app_id = ? AND kind = ? AND id = ? AND NOT EXISTS
       (SELECT 1 FROM message_files AS noted JOIN messages USING (app_id)
        WHERE noted.app_id = documents.app_id AND noted.file_id = documents.id AND messages.id = noted.message_id
          AND instr(json_extract(messages.body, '$.data.attachments', '$.data.url'), documents.id) > 0)`,
    ...[appId, fileKind, fileId],
  );
}
