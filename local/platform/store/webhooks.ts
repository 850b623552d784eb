import { type AppData, type Database, findRow, getDocument, putDocument, putRow } from "./database.ts";

/** 1 is legacy, 2 current. @see docs/internals/platform/webhooks.md#engines */
export type Generation = 1 | 2;

/** Times are unix seconds. */
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

export function findWebhook(data: AppData, generation: Generation, id: string): Webhook | undefined {
  return findRow(data, "webhooks", { generation, id });
}

export function listWebhooks({ db, appId }: AppData, generation: Generation): Webhook[] {
  return db.rows(
    `SELECT * FROM webhooks WHERE app_id = ? AND generation = ? ORDER BY created_at, id`,
    appId,
    generation,
  );
}

export function listSubscribed({ db, appId }: AppData, generation: Generation, trigger: string): Webhook[] {
  return db.rows(
    `SELECT webhooks.* FROM webhook_triggers t
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

/** A new app has the current one. */
export function activeEngine(data: AppData): Generation {
  return getDocument(data, kind, kind)?.generation === 1 ? 1 : 2;
}

export function setActiveEngine(data: AppData, generation: Generation): void {
  putDocument(data, kind, kind, { generation });
}

const kind = "webhook-engine";

/** `lost`: no other attempt follows. */
type DeliveryState = "pending" | "delivered" | "lost";

/** Without a `status`, `error` says why. */
export type Attempt = {
  number: number;
  atMs: number;
  durationMs: number;
  status: number | undefined;
  error: string | undefined;
};

/** Times are milliseconds since 1970. */
export type Delivery = {
  id: number;
  appId: string;
  generation: Generation;
  webhookId: string;
  trigger: string;
  body: string;
  target?: DeliveryTarget | undefined;
  state: DeliveryState;
  createdMs: number;
  firstAttemptMs: number | undefined;
  attemptCount: number;
  dueMs: number | undefined;
};

export type DeliveryTarget = {
  url: string;
  credentials: { username: string; password: string } | undefined;
};

const mostSettled = 20_000;
const sweepStep = 500;

export function insertDelivery(db: Database, delivery: NewDelivery): Delivery {
  const id = db.count(
    `INSERT INTO deliveries (app_id, generation, webhook_id, trigger_id, body, target, state, created_ms, due_ms)
     VALUES (?, ?, ?, ?, ?, ?, 'pending', ?, ?) RETURNING id`,
    delivery.appId,
    delivery.generation,
    delivery.webhookId,
    delivery.trigger,
    delivery.body,
    delivery.target ? JSON.stringify(delivery.target) : null,
    delivery.createdMs,
    delivery.dueMs,
  );
  if (id % sweepStep === 0) forgetSettled(db, id - mostSettled);
  return { ...delivery, id, state: "pending", firstAttemptMs: undefined, attemptCount: 0 };
}

function forgetSettled(db: Database, untilId: number) {
  const settled = "FROM deliveries WHERE id <= ? AND state <> 'pending'";
  db.transaction(() => {
    db.run(`DELETE FROM attempts WHERE delivery_id IN (SELECT id ${settled})`, untilId);
    db.run(`DELETE ${settled}`, untilId);
  });
}

export type NewDelivery = Pick<
  Delivery,
  "appId" | "generation" | "webhookId" | "trigger" | "body" | "target" | "createdMs"
> & { dueMs: number };

export function recordAttempt(db: Database, delivery: Delivery, attempt: Attempt): void {
  db.transaction(() => {
    db.put("attempts", { deliveryId: delivery.id, ...attempt });
    db.run(
      "UPDATE deliveries SET state = ?, first_attempt_ms = ?, attempts = ?, due_ms = ? WHERE id = ?",
      delivery.state,
      delivery.firstAttemptMs ?? null,
      delivery.attemptCount,
      delivery.dueMs ?? null,
      delivery.id,
    );
  });
}

export function findDelivery(db: Database, id: number): Delivery | undefined {
  return db.row(`SELECT ${deliveryColumns} FROM deliveries WHERE id = ?`, id);
}

export function deleteDeliveries(db: Database, ids: readonly number[]): void {
  db.transaction(() => {
    for (const id of ids) {
      db.run("DELETE FROM deliveries WHERE id = ?", id);
      db.run("DELETE FROM attempts WHERE delivery_id = ?", id);
    }
  });
}

export function listPending(db: Database): Delivery[] {
  return db.rows(`SELECT ${deliveryColumns} FROM deliveries WHERE state = 'pending' ORDER BY due_ms, id`);
}

export function listDeliveries(db: Database, appId: string | undefined, limit: number): Delivery[] {
  return db.rows(
    `SELECT ${deliveryColumns} FROM deliveries WHERE app_id = coalesce(?, app_id) ORDER BY id DESC LIMIT ?`,
    appId ?? null,
    limit,
  );
}

export function listAttempts(db: Database, deliveryId: number): Attempt[] {
  return db.rows(
    "SELECT number, at_ms, duration_ms, status, error FROM attempts WHERE delivery_id = ? ORDER BY number",
    deliveryId,
  );
}

const deliveryColumns = `id, app_id, generation, webhook_id, trigger_id AS "trigger", body, target, state, created_ms,
  first_attempt_ms, attempts AS attempt_count, due_ms`;
