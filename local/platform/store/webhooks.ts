import type { AppData } from "./database.ts";
import { getDocument, putDocument } from "./documents.ts";
import { putRow } from "./rows.ts";

/**
 * 1 is legacy, 2 current.
 * @see docs/internals/platform/webhooks.md#engines
 */
export type Generation = 1 | 2;

/** Timestamps are unix seconds. */
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

export function findWebhook({ db, appId }: AppData, generation: Generation, id: string): Webhook | undefined {
  return db.row(
    `SELECT ${columns} FROM webhooks WHERE app_id = ? AND generation = ? AND id = ?`,
    appId,
    generation,
    id,
  );
}

export function listWebhooks({ db, appId }: AppData, generation: Generation): Webhook[] {
  return db.rows(
    `SELECT ${columns} FROM webhooks WHERE app_id = ? AND generation = ? ORDER BY created_at, id`,
    appId,
    generation,
  );
}

/** Enabled ones only. */
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

export function saveWebhook(data: AppData, webhook: Webhook): void {
  putRow(data, "webhooks", webhook);
}

export function listTriggerIds({ db, appId }: AppData, generation: Generation, id: string): string[] {
  return db.values(
    `SELECT trigger_id FROM webhook_triggers
     WHERE app_id = ? AND generation = ? AND webhook_id = ? ORDER BY trigger_id`,
    appId,
    generation,
    id,
  );
}

export function addTrigger(data: AppData, { generation, id }: Webhook, triggerId: string): void {
  putRow(data, "webhook_triggers", { generation, webhookId: id, triggerId }, "IGNORE");
}

// The other table has this column, too.
const columns = `webhooks.generation, id, name, url, use_basic_auth, username, password, enabled, retry_on_failure,
  created_at, updated_at`;

/** One app runs one of them, never both; a new app runs the current one. */
export function activeEngine(data: AppData): Generation {
  return getDocument(data, kind, kind)?.generation === 1 ? 1 : 2;
}

/** Webhooks of the other one stay and wait. */
export function setActiveEngine(data: AppData, generation: Generation): void {
  putDocument(data, kind, kind, { generation });
}

const kind = "webhook-engine";
