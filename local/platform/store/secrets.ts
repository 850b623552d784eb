import { type Database, optionalTextIn, textIn } from "./database.ts";
import { listWebhookPasswords } from "./webhooks.ts";

/** Lists every key and password that the database holds, of all apps, for redaction. */
export function listSecrets(db: Database): string[] {
  return [
    ...db.all("SELECT api_key AS secret FROM api_keys").map((row) => textIn(row, "secret")),
    ...db
      .all("SELECT key AS secret FROM management_keys UNION SELECT secret FROM management_keys")
      .map((row) => textIn(row, "secret")),
    ...listWebhookPasswords(db),
    ...listDocumentPasswords(db),
  ];
}

// Bots, moderation services and notification providers keep their credentials in documents.
function listDocumentPasswords(db: Database): string[] {
  return ["password", "basicAuthPassword"].flatMap((field) =>
    db
      .all(`SELECT json_extract(body, '$.${field}') AS secret FROM documents WHERE body LIKE '%"${field}"%'`)
      .map((row) => optionalTextIn(row, "secret"))
      .filter((secret) => secret !== undefined),
  );
}
