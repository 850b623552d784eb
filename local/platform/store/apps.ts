import { isJsonObject, readJson } from "../json.ts";
import type { Database } from "./database.ts";

/** `createdAt` is in unix seconds. */
export type App = { appId: string; region: string; name: string; createdAt: number };

/** The account's data is stored under its empty id, which no app has. */
export const noApp: App = { appId: "", region: "", name: "", createdAt: 0 };

export function findApp(db: Database, appId: string): App | undefined {
  return db.row("SELECT * FROM apps WHERE app_id = ?", appId);
}

export function listApps(db: Database): App[] {
  return db.rows("SELECT * FROM apps ORDER BY created_at, app_id");
}

export function isManagementKey(db: Database, key: string, secret: string): boolean {
  return db.has("SELECT 1 AS hit FROM management_keys WHERE key = ? AND secret = ?", key, secret);
}

/** Of all apps, for redaction. */
export function listSecrets(db: Database): string[] {
  // Bots, moderation services and notification providers keep their credentials in documents.
  const stored = db.values<string>(
    `SELECT api_key FROM api_keys
     UNION SELECT key FROM management_keys UNION SELECT secret FROM management_keys
     UNION SELECT password FROM webhooks WHERE password IS NOT NULL
     UNION SELECT json_extract(body, '$.password') FROM documents WHERE body LIKE '%"password"%'
       AND json_type(body, '$.password') = 'text'
     UNION SELECT json_extract(body, '$.basicAuthPassword') FROM documents WHERE body LIKE '%"basicAuthPassword"%'
       AND json_type(body, '$.basicAuthPassword') = 'text'`,
  );
  const headers = db.values<string>(
    `SELECT coalesce(json_extract(body, '$.headers'), json_extract(body, '$.integrationMeta.headers'), '')
       FROM documents WHERE kind IN ('agents-api-tool', 'agents-byo-agent')`,
  );
  return [...stored, ...headers.flatMap((text) => secretsOfHeaders(text))];
}

/** JSON or lines. What variables and usual headers say is no secret. */
function secretsOfHeaders(text: string): string[] {
  const read = readJson(text);
  const pairs = isJsonObject(read)
    ? Object.entries(read)
    : text.split("\n").map((line) => [line.split(":")[0], line.slice(line.indexOf(":") + 1).trim()] as const);
  return pairs.flatMap(([name, value]) => {
    const isUsual = /^(accept|content-type|user-agent)$/i.test(String(name).trim());
    if (typeof value !== "string" || isUsual || value.startsWith("@var-")) return [];
    return [value, value.replace(/^(bearer|basic) +/i, "")];
  });
}
