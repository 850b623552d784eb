import type { AppData } from "./database.ts";
import { deleteRows } from "./rows.ts";

/**
 * Removes what is stored under the id of a user or a group, so that a later one of that id inherits nothing.
 * Messages, and what hangs on them, go by `purgeConversation`.
 */
export function eraseKeyed(data: AppData, key: "uid" | "guid", id: string): void {
  const { db, appId } = data;
  const keyed = db.values<string>(
    `SELECT tables.name FROM sqlite_schema AS tables, pragma_table_info(tables.name) AS columns
     WHERE tables.type = 'table' AND columns.name = ?`,
    key,
  );
  for (const table of keyed) deleteRows(data, table, { [key]: id });
  eraseDocuments(data, ownKinds[key], id);
  for (const [kind, list] of listingKinds) {
    db.run(
      `UPDATE documents SET body = json_set(body, '$.${list}', (SELECT json_group_array(json(value))
         FROM json_each(body, '$.${list}') WHERE value ->> 'id' <> ? OR (value ->> 'type' = 'group') <> ?))
       WHERE app_id = ? AND kind = ?`,
      ...[id, key === "guid" ? 1 : 0, appId, kind],
    );
  }
}

export function eraseDocuments({ db, appId }: AppData, kinds: readonly string[], owner: string): void {
  db.run(
    `DELETE FROM documents WHERE app_id = ? AND kind IN (SELECT value FROM json_each(?)) AND ? IN
       (substr(id, 1, instr(id || '/', '/') - 1), json_extract(body, '$.uid'), json_extract(body, '$.receiver'))`,
    ...[appId, JSON.stringify(kinds), owner],
  );
}

/** Documents whose id, or its part before a slash, or whose field `uid` or `receiver` is the owner's. */
const ownKinds = {
  uid: [
    "agents-agent",
    "agents-byo-agent",
    "agents-script",
    "bot",
    "campaigns-feed-item",
    "campaigns-push-notification",
    "connection",
    "contact-details",
    "message-file",
    "muted-conversations",
    "notification-batch",
    "notification-preferences",
    "push-token",
    "timezone",
  ],
  guid: ["scope-permissions"],
};

/** Documents of others, and their list of `{type, id}`. */
const listingKinds = [
  ["global-pins", "pins"],
  ["muted-conversations", "conversations"],
] as const;
