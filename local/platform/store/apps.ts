import { type JsonObject, objectOf, readJson } from "../json.ts";
import { type AppData, type Database, deleteRows, getDocument, putRow } from "./database.ts";
import type { Message } from "./messages.ts";

/** `createdAt` is in unix seconds. */
export type App = { appId: string; region: string; name: string; createdAt: number };

/** Stands for the account's data. */
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

export function listSecrets(db: Database): string[] {
  const values = db.values<string>(
    `SELECT api_key FROM api_keys
     UNION SELECT key FROM management_keys UNION SELECT secret FROM management_keys
     UNION SELECT password FROM webhooks WHERE password IS NOT NULL
     UNION SELECT json_extract(body, '$.password') FROM documents WHERE body LIKE '%"password"%'
       AND json_type(body, '$.password') = 'text'
     UNION SELECT json_extract(body, '$.basicAuthPassword') FROM documents WHERE body LIKE '%"basicAuthPassword"%'
       AND json_type(body, '$.basicAuthPassword') = 'text'`,
  );
  return [...values, ...agentSecrets(db)];
}

type Sending = {
  headers?: unknown;
  integrationMeta?: { headers?: unknown };
  basicAuthUsername?: string;
  basicAuthPassword?: string;
};

/** Returns Basic credentials in their encoded form, and headers. */
function agentSecrets(db: Database) {
  const all = db.entities<Sending>(
    "SELECT body FROM documents WHERE kind IN ('agents-api-tool', 'agents-byo-agent')",
  );
  return all.flatMap(({ headers, integrationMeta, basicAuthUsername, basicAuthPassword }) => {
    const given = headers ?? integrationMeta?.headers;
    const read = typeof given === "string" ? (readJson(given) ?? linesOf(given)) : given;
    const secrets = Object.entries(objectOf(read)).flatMap(([name, value]) =>
      // The secret follows the scheme.
      usual.test(name.trim()) || String(value).startsWith("@var-")
        ? []
        : [String(value), String(value).replace(/^\S+ /, "")],
    );
    return basicAuthPassword === undefined
      ? secrets
      : [...secrets, Buffer.from(`${basicAuthUsername}:${basicAuthPassword}`).toString("base64")];
  });
}

function linesOf(headers: string) {
  const lines = headers.split("\n").map((line) => line.split(/:(.*)/));
  return Object.fromEntries(lines.map(([name = "", value = ""]) => [name, value.trim()]));
}

const usual = /^(accept|content-type|user-agent)$/i;

/** `apiKey` has 40 hex characters, `createdAt` is in unix seconds. */
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

export function putApiKey(data: AppData, key: ApiKey): void {
  putRow(data, "api_keys", key);
}

export function deleteApiKey(data: AppData, apiKey: string): void {
  deleteRows(data, "api_keys", { apiKey });
}

/** @see docs/internals/platform/management.md#settings */
export const appSettingDefaults: JsonObject = {
  "core.conversations.updateOnGroupActions": true,
  "core.conversations.updateOnReplies": true,
  "core.conversations.updateOnMessageActions": false,
  "core.conversations.updateOnCallActivity": false,
  "core.threads.updateOnMessageActions": false,
  "core.notifications.push.enabled": false,
};

export function readAppSettings(data: AppData): JsonObject {
  return { ...appSettingDefaults, ...getDocument(data, appSettingsKind, appSettingsKind) };
}

/**
 * Custom messages count by default (assumed).
 * @see docs/internals/platform/conversations.md#life-of-a-conversation
 */
export function movesConversation(data: AppData, message: Message): boolean {
  const key = settingOf(message);
  return key === undefined || readAppSettings(data)[key] !== false;
}

export const appSettingsKind = "app-settings";

function settingOf({ category, type, parentId }: Message) {
  if (category === "action" && type === "message") return "core.conversations.updateOnMessageActions";
  if (category === "action") return "core.conversations.updateOnGroupActions";
  if (category === "call") return "core.conversations.updateOnCallActivity";
  if (parentId !== undefined) return "core.conversations.updateOnReplies";
  return category === "custom" ? "core.conversations.updateOnCustomMessage" : undefined;
}
