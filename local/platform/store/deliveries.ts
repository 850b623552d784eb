import type { Database } from "./database.ts";
import type { Generation } from "./webhooks.ts";

/** `lost`: the last attempt failed; there is no other. */
type DeliveryState = "pending" | "delivered" | "lost";

/** `status` is undefined if no answer came; `error` then says why. */
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
  /** A bot's or notification provider's; undefined for a webhook. */
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

/** Of all apps; older ones are forgotten, unless they are pending. */
const mostSettled = 20_000;
/** How many more there are at times. */
const sweepStep = 500;

/** Due at once. */
export function insertDelivery(db: Database, delivery: NewDelivery): Delivery {
  const id = db.count(
    `INSERT INTO deliveries (app_id, generation, webhook_id, trigger_id, body, target, state, created_ms, due_ms)
     VALUES (?, ?, ?, ?, ?, ?, 'pending', ?, ?) RETURNING id`,
    ...[
      delivery.appId,
      delivery.generation,
      delivery.webhookId,
      delivery.trigger,
      delivery.body,
      delivery.target ? JSON.stringify(delivery.target) : null,
      delivery.createdMs,
      delivery.dueMs,
    ],
  );
  if (id % sweepStep === 0) forgetSettled(db, id - mostSettled);
  return { ...delivery, id, state: "pending", firstAttemptMs: undefined, attemptCount: 0 };
}

function forgetSettled(db: Database, untilId: number): void {
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

/** Also stores what it means for the delivery. */
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
  return db.row(`SELECT ${columns} FROM deliveries WHERE id = ?`, id);
}

export function deleteDeliveries(db: Database, ids: readonly number[]): void {
  db.transaction(() => {
    for (const id of ids) {
      db.run("DELETE FROM deliveries WHERE id = ?", id);
      db.run("DELETE FROM attempts WHERE delivery_id = ?", id);
    }
  });
}

/** The most urgent first. */
export function listPending(db: Database): Delivery[] {
  return db.rows(`SELECT ${columns} FROM deliveries WHERE state = 'pending' ORDER BY due_ms, id`);
}

/** Newest first; of every app if `appId` is undefined. */
export function listDeliveries(db: Database, appId: string | undefined, limit: number): Delivery[] {
  return appId === undefined
    ? db.rows(`SELECT ${columns} FROM deliveries ORDER BY id DESC LIMIT ?`, limit)
    : db.rows(`SELECT ${columns} FROM deliveries WHERE app_id = ? ORDER BY id DESC LIMIT ?`, appId, limit);
}

export function listAttempts(db: Database, deliveryId: number): Attempt[] {
  return db.rows(
    "SELECT number, at_ms, duration_ms, status, error FROM attempts WHERE delivery_id = ? ORDER BY number",
    deliveryId,
  );
}

const columns = `id, app_id, generation, webhook_id, trigger_id AS "trigger", body, target, state, created_ms,
  first_attempt_ms, attempts AS attempt_count, due_ms`;
