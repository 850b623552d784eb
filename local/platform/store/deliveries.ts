import { isJsonObject } from "../json.ts";
import {
  type AppData,
  type Database,
  entityIn,
  integerIn,
  optionalIntegerIn,
  optionalTextIn,
  type Row,
  textIn,
} from "./database.ts";
import type { Generation } from "./webhooks.ts";

/** Tells where a delivery stands. `lost`: the last attempt failed and nothing will be tried again. */
export type DeliveryState = "pending" | "delivered" | "lost";

/** Describes one try. `status` is undefined when no answer came; `error` then says why. */
export type Attempt = {
  number: number;
  atMs: number;
  durationMs: number;
  status: number | undefined;
  error: string | undefined;
};

/** Describes one event on its way to one webhook. Times are milliseconds since 1970. */
export type Delivery = {
  id: number;
  appId: string;
  generation: Generation;
  webhookId: string;
  trigger: string;
  body: string;
  /** Where it goes when it is not for a webhook but for a bot or a notification provider. */
  target?: DeliveryTarget | undefined;
  state: DeliveryState;
  createdMs: number;
  firstAttemptMs: number | undefined;
  attemptCount: number;
  dueMs: number | undefined;
};

/** An address with its credentials. */
export type DeliveryTarget = {
  url: string;
  credentials: { username: string; password: string } | undefined;
};

/** Stores a new delivery that is due at once, and gives it its id. */
export function insertDelivery(db: Database, delivery: NewDelivery): Delivery {
  const row = db.get(
    `INSERT INTO deliveries (app_id, generation, webhook_id, trigger_id, body, target, state, created_ms, due_ms)
     VALUES (?, ?, ?, ?, ?, ?, 'pending', ?, ?) RETURNING *`,
    delivery.appId,
    delivery.generation,
    delivery.webhookId,
    delivery.trigger,
    delivery.body,
    delivery.target === undefined ? null : JSON.stringify(delivery.target),
    delivery.createdMs,
    delivery.dueMs,
  );
  if (row === undefined) throw new Error(`Delivery to webhook ${delivery.webhookId} was not stored.`);
  return toDelivery(row);
}

/** What a new delivery needs. */
export type NewDelivery = Pick<
  Delivery,
  "appId" | "generation" | "webhookId" | "trigger" | "body" | "target" | "createdMs"
> & { dueMs: number };

/** Records one try together with what it means for the delivery. */
export function recordAttempt(db: Database, delivery: Delivery, attempt: Attempt): void {
  db.transaction(() => {
    db.run(
      "INSERT INTO attempts (delivery_id, number, at_ms, duration_ms, status, error) VALUES (?, ?, ?, ?, ?, ?)",
      delivery.id,
      attempt.number,
      attempt.atMs,
      attempt.durationMs,
      attempt.status ?? null,
      attempt.error ?? null,
    );
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

/** Finds a delivery, or undefined. */
export function findDelivery(db: Database, id: number): Delivery | undefined {
  return db.first(toDelivery, "SELECT * FROM deliveries WHERE id = ?", id);
}

/** Lists deliveries that are still to be tried, the most urgent first. */
export function listPending(db: Database): Delivery[] {
  return db.all("SELECT * FROM deliveries WHERE state = 'pending' ORDER BY due_ms, id").map(toDelivery);
}

/** Lists the newest deliveries of an app (of every app when undefined), newest first. */
export function listDeliveries(db: Database, appId: string | undefined, limit: number): Delivery[] {
  const rows =
    appId === undefined
      ? db.all("SELECT * FROM deliveries ORDER BY id DESC LIMIT ?", limit)
      : db.all("SELECT * FROM deliveries WHERE app_id = ? ORDER BY id DESC LIMIT ?", appId, limit);
  return rows.map(toDelivery);
}

/** Lists the tries of a delivery in order. */
export function listAttempts(db: Database, deliveryId: number): Attempt[] {
  return db.all("SELECT * FROM attempts WHERE delivery_id = ? ORDER BY number", deliveryId).map((row) => ({
    number: integerIn(row, "number"),
    atMs: integerIn(row, "at_ms"),
    durationMs: integerIn(row, "duration_ms"),
    status: optionalIntegerIn(row, "status"),
    error: optionalTextIn(row, "error"),
  }));
}

/** Counts deliveries by state, of one app or of all. */
export function countDeliveries(db: Database): Record<DeliveryState, number> {
  const counts = { pending: 0, delivered: 0, lost: 0 };
  for (const row of db.all("SELECT state, count(*) AS n FROM deliveries GROUP BY state")) {
    counts[toState(textIn(row, "state"))] = integerIn(row, "n");
  }
  return counts;
}

/** Counts an app's deliveries to webhooks by webhook and state; what went to bots and providers is left out. */
export function tallyDeliveries({
  db,
  appId,
}: AppData): { generation: Generation; webhookId: string; state: DeliveryState; count: number }[] {
  return db
    .all(
      `SELECT generation, webhook_id, state, count(*) AS n FROM deliveries
       WHERE app_id = ? AND target IS NULL GROUP BY generation, webhook_id, state`,
      appId,
    )
    .map((row) => ({
      generation: integerIn(row, "generation") === 2 ? 2 : 1,
      webhookId: textIn(row, "webhook_id"),
      state: toState(textIn(row, "state")),
      count: integerIn(row, "n"),
    }));
}

function toDelivery(row: Row): Delivery {
  return {
    id: integerIn(row, "id"),
    appId: textIn(row, "app_id"),
    generation: integerIn(row, "generation") === 2 ? 2 : 1,
    webhookId: textIn(row, "webhook_id"),
    trigger: textIn(row, "trigger_id"),
    body: textIn(row, "body"),
    target: row.target === null ? undefined : entityIn(row, "target", isTarget),
    state: toState(textIn(row, "state")),
    createdMs: integerIn(row, "created_ms"),
    firstAttemptMs: optionalIntegerIn(row, "first_attempt_ms"),
    attemptCount: integerIn(row, "attempts"),
    dueMs: optionalIntegerIn(row, "due_ms"),
  };
}

function isTarget(value: unknown): value is DeliveryTarget {
  return isJsonObject(value) && typeof value.url === "string";
}

function toState(value: string): DeliveryState {
  return value === "delivered" || value === "lost" ? value : "pending";
}
