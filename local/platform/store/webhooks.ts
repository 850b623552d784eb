import {
  type AppData,
  type Database,
  flagIn,
  integerIn,
  optionalTextIn,
  type Row,
  textIn,
} from "./database.ts";
import { getDocument, putDocument } from "./documents.ts";

/** Names the webhook engine: 1 is the legacy one, 2 the current one. @see docs/platform/webhooks.md#engines */
export type Generation = 1 | 2;

/** Describes a webhook with its credentials. Timestamps are unix seconds. */
export type Webhook = {
  id: string;
  generation: Generation;
  name: string;
  url: string;
  useBasicAuth: boolean;
  username: string | undefined;
  password: string | undefined;
  enabled: boolean;
  retryOnFailure: boolean;
  createdAt: number;
  updatedAt: number;
};

/** Finds a webhook of one generation, or undefined. */
export function findWebhook({ db, appId }: AppData, generation: Generation, id: string): Webhook | undefined {
  return db.first(
    toWebhook,
    "SELECT * FROM webhooks WHERE app_id = ? AND generation = ? AND id = ?",
    appId,
    generation,
    id,
  );
}

/** Lists an app's webhooks of one generation, oldest first. */
export function listWebhooks({ db, appId }: AppData, generation: Generation): Webhook[] {
  return db
    .all(
      "SELECT * FROM webhooks WHERE app_id = ? AND generation = ? ORDER BY created_at, id",
      appId,
      generation,
    )
    .map(toWebhook);
}

/** Lists the enabled webhooks that subscribe to a trigger. */
export function listSubscribed({ db, appId }: AppData, generation: Generation, trigger: string): Webhook[] {
  return db
    .all(
      `SELECT w.* FROM webhook_triggers t
       JOIN webhooks w ON w.app_id = t.app_id AND w.generation = t.generation AND w.id = t.webhook_id
       WHERE t.app_id = ? AND t.generation = ? AND t.trigger_id = ? AND w.enabled = 1`,
      appId,
      generation,
      trigger,
    )
    .map(toWebhook);
}

/** Stores a webhook, new or changed. */
export function saveWebhook({ db, appId }: AppData, webhook: Webhook): void {
  db.run(
    `INSERT OR REPLACE INTO webhooks (app_id, generation, id, name, url, use_basic_auth, username, password, enabled,
       retry_on_failure, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    appId,
    webhook.generation,
    webhook.id,
    webhook.name,
    webhook.url,
    webhook.useBasicAuth ? 1 : 0,
    webhook.username ?? null,
    webhook.password ?? null,
    webhook.enabled ? 1 : 0,
    webhook.retryOnFailure ? 1 : 0,
    webhook.createdAt,
    webhook.updatedAt,
  );
}

/** Deletes a webhook and its triggers. */
export function deleteWebhookRow({ db, appId }: AppData, generation: Generation, id: string): void {
  db.run(
    "DELETE FROM webhook_triggers WHERE app_id = ? AND generation = ? AND webhook_id = ?",
    appId,
    generation,
    id,
  );
  db.run("DELETE FROM webhooks WHERE app_id = ? AND generation = ? AND id = ?", appId, generation, id);
}

/** Lists the triggers of a webhook, by name. */
export function listTriggerIds({ db, appId }: AppData, generation: Generation, id: string): string[] {
  return db
    .all(
      `SELECT trigger_id FROM webhook_triggers
       WHERE app_id = ? AND generation = ? AND webhook_id = ? ORDER BY trigger_id`,
      appId,
      generation,
      id,
    )
    .map((row) => textIn(row, "trigger_id"));
}

/** Subscribes a webhook to a trigger; the same again does nothing. */
export function addTrigger({ db, appId }: AppData, webhook: Webhook, trigger: string): void {
  db.run(
    "INSERT OR IGNORE INTO webhook_triggers (app_id, generation, webhook_id, trigger_id) VALUES (?, ?, ?, ?)",
    appId,
    webhook.generation,
    webhook.id,
    trigger,
  );
}

/** Ends a subscription; one that is not there does nothing. */
export function removeTrigger({ db, appId }: AppData, webhook: Webhook, trigger: string): void {
  db.run(
    "DELETE FROM webhook_triggers WHERE app_id = ? AND generation = ? AND webhook_id = ? AND trigger_id = ?",
    appId,
    webhook.generation,
    webhook.id,
    trigger,
  );
}

/** Lists every webhook password in use, for redaction. */
export function listWebhookPasswords(db: Database): string[] {
  return db
    .all("SELECT password FROM webhooks WHERE password IS NOT NULL")
    .map((row) => textIn(row, "password"));
}

function toWebhook(row: Row): Webhook {
  return {
    id: textIn(row, "id"),
    generation: integerIn(row, "generation") === 2 ? 2 : 1,
    name: textIn(row, "name"),
    url: textIn(row, "url"),
    useBasicAuth: flagIn(row, "use_basic_auth"),
    username: optionalTextIn(row, "username"),
    password: optionalTextIn(row, "password"),
    enabled: flagIn(row, "enabled"),
    retryOnFailure: flagIn(row, "retry_on_failure"),
    createdAt: integerIn(row, "created_at"),
    updatedAt: integerIn(row, "updated_at"),
  };
}

/** Tells which webhook engine an app runs. One app runs one of them, never both; a new app runs the current one. */
export function activeEngine(data: AppData): Generation {
  return getDocument(data, kind, kind)?.generation === 1 ? 1 : 2;
}

/** Switches an app to an engine, as the dashboard does. Webhooks of the other one stay and wait. */
export function setActiveEngine(data: AppData, generation: Generation): void {
  putDocument(data, kind, kind, { generation });
}

const kind = "webhook-engine";
