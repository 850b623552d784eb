import type { AppData } from "./database.ts";

/** `apiKey` is 40 hex characters, `createdAt` is in unix seconds. */
export type ApiKey = {
  apiKey: string;
  name: string;
  /** @see docs/internals/platform/addressing-and-keys.md#scopes-of-keys */
  scope: "authOnly" | "fullAccess";
  createdAt: number;
  createdBy: string;
};

export function findApiKey(data: AppData, apiKey: string): ApiKey | undefined {
  return listApiKeys(data).find((key) => key.apiKey === apiKey);
}

export function listApiKeys({ db, appId }: AppData): ApiKey[] {
  return db.rows(
    "SELECT api_key, name, scope, created_at, created_by FROM api_keys WHERE app_id = ? ORDER BY created_at, api_key",
    appId,
  );
}

export function putApiKey({ db, appId }: AppData, key: ApiKey): void {
  db.put("api_keys", { appId, ...key });
}

export function deleteApiKey({ db, appId }: AppData, apiKey: string): void {
  db.run("DELETE FROM api_keys WHERE app_id = ? AND api_key = ?", appId, apiKey);
}
