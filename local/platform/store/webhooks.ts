import type { AppData } from "./database.ts";
import { getDocument, putDocument } from "./documents.ts";
import { putRow } from "./rows.ts";

/**
 * Names the webhook engine: 1 is the legacy one, 2 the current one.
 * @see docs/internals/platform/webhooks.md#engines
 */
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
  return db.row(
    `SELECT ${columns} FROM webhooks WHERE app_id = ? AND generation = ? AND id = ?`,
    appId,
    generation,
    id,
  );
}

/** Lists an app's webhooks of one generation, oldest first. */
export function listWebhooks({ db, appId }: AppData, generation: Generation): Webhook[] {
  return db.rows(
    `SELECT ${columns} FROM webhooks WHERE app_id = ? AND generation = ? ORDER BY created_at, id`,
    appId,
    generation,
  );
}

/** Lists the enabled webhooks that subscribe to a trigger. */
export function listSubscribed({ db, appId }: AppData, generation: Generation, trigger: string): Webhook[] {
  return db.rows(
    `SELECT ${columns} FROM webhook_triggers t
     JOIN webhooks ON webhooks.app_id = t.app_id AND webhooks.generation = t.generation AND id = webhook_id
     WHERE t.app_id = ? AND t.generation = ? AND t.trigger_id = ? AND enabled = 1`,
    appId,
    generation,
    trigger,
  );
}

/** Stores a webhook, new or changed. */
export function saveWebhook(data: AppData, webhook: Webhook): void {
  putRow(data, "webhooks", webhook);
}

/** Lists the triggers of a webhook, by name. */
export function listTriggerIds({ db, appId }: AppData, generation: Generation, id: string): string[] {
  return db.values(
    `SELECT trigger_id FROM webhook_triggers
     WHERE app_id = ? AND generation = ? AND webhook_id = ? ORDER BY trigger_id`,
    appId,
    generation,
    id,
  );
}

/** Subscribes a webhook to a trigger; the same again does nothing. */
export function addTrigger(data: AppData, { generation, id }: Webhook, triggerId: string): void {
  putRow(data, "webhook_triggers", { generation, webhookId: id, triggerId }, "IGNORE");
}

// The other table has a column of this name, too.
const columns = `webhooks.generation, id, name, url, use_basic_auth, username, password, enabled, retry_on_failure,
  created_at, updated_at`;

/**
 * Returns which webhook engine an app runs. One app runs one of them, never both; a new app runs the current
 * one.
 */
export function activeEngine(data: AppData): Generation {
  return getDocument(data, kind, kind)?.generation === 1 ? 1 : 2;
}

/** Switches an app to an engine, as the dashboard does. Webhooks of the other one stay and wait. */
export function setActiveEngine(data: AppData, generation: Generation): void {
  putDocument(data, kind, kind, { generation });
}

const kind = "webhook-engine";
