import { type AppData, integerIn, type Row, textIn } from "./database.ts";

/** Names what a key may do. @see docs/platform/addressing-and-keys.md#scopes-of-keys */
export type ApiKeyScope = "authOnly" | "fullAccess";

/** Describes one API key. `apiKey` is 40 hex characters, `createdAt` is in unix seconds. */
export type ApiKey = {
  apiKey: string;
  name: string;
  scope: ApiKeyScope;
  createdAt: number;
  createdBy: string;
};

/** Finds a key of an app, or undefined. */
export function findApiKey({ db, appId }: AppData, apiKey: string): ApiKey | undefined {
  return db.first(toApiKey, "SELECT * FROM api_keys WHERE app_id = ? AND api_key = ?", appId, apiKey);
}

/** Lists the keys of an app, oldest first. */
export function listApiKeys({ db, appId }: AppData): ApiKey[] {
  return db.all("SELECT * FROM api_keys WHERE app_id = ? ORDER BY created_at, api_key", appId).map(toApiKey);
}

/** Stores a key, new or changed. */
export function putApiKey({ db, appId }: AppData, key: ApiKey): void {
  db.run(
    "INSERT OR REPLACE INTO api_keys (app_id, api_key, name, scope, created_at, created_by) VALUES (?, ?, ?, ?, ?, ?)",
    appId,
    key.apiKey,
    key.name,
    key.scope,
    key.createdAt,
    key.createdBy,
  );
}

/** Deletes a key. */
export function deleteApiKey({ db, appId }: AppData, apiKey: string): void {
  db.run("DELETE FROM api_keys WHERE app_id = ? AND api_key = ?", appId, apiKey);
}

function toApiKey(row: Row): ApiKey {
  return {
    apiKey: textIn(row, "api_key"),
    name: textIn(row, "name"),
    scope: textIn(row, "scope") === "fullAccess" ? "fullAccess" : "authOnly",
    createdAt: integerIn(row, "created_at"),
    createdBy: textIn(row, "created_by"),
  };
}
