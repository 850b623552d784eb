import type { Clock, Timer } from "../clock.ts";
import type { FaultPlan } from "../faults.ts";
import type { JsonObject } from "../json.ts";
import type { RecordBus } from "../records.ts";
import type { App } from "../store/apps.ts";
import type { Database } from "../store/database.ts";
import {
  type Delivery,
  findDelivery,
  insertDelivery,
  listPending,
  recordAttempt,
} from "../store/deliveries.ts";
import { findWebhook, type Generation, listSubscribed, type Webhook } from "../store/webhooks.ts";
import type { Switches } from "../switches.ts";
import { nextAttemptMs } from "./retry.ts";
import { isSuccess, type Sender } from "./send.ts";

/** Takes events in and carries them to the webhooks that subscribe to them. */
export type Outbox = {
  /** Stores one delivery per subscribed webhook and starts sending. `extra` goes to the envelope's top level. */
  emit(app: App, trigger: string, data: JsonObject, options?: EmitOptions): void;
  /** Takes up what the database says is pending, after a start or a restore. */
  resume(): void;
  /** Forgets all timers and waiting work, and ignores how calls in flight end. What is stored stays pending. */
  pause(): void;
  /** Resolves when nothing is in flight or about to start; retries in the future do not count. */
  idle(): Promise<void>;
};

/** Rarely needed parts of an event. `generation` 1 is the legacy engine. */
export type EmitOptions = { generation?: Generation; extra?: JsonObject };

/** What the outbox is made of. */
export type OutboxParts = {
  db: Database;
  clock: Clock;
  records: RecordBus;
  sender: Sender;
  switches: Switches;
  faults: FaultPlan;
  maxConcurrent: number;
};

/** Creates the outbox. */
export function createOutbox(parts: OutboxParts): Outbox {
  const { db, clock, records } = parts;
  const waiting: number[] = [];
  const timers = new Map<number, Timer>();
  let idleWaiters: (() => void)[] = [];
  let inFlight = 0;
  // Grows with every pause: what was in flight before it must not touch what is stored after it.
  let epoch = 0;

  function emit(app: App, trigger: string, data: JsonObject, options: EmitOptions = {}): void {
    const generation = options.generation ?? 2;
    const webhooks = listSubscribed(db, app.appId, generation, trigger);
    records.emit(() => ({ type: "event", appId: app.appId, trigger, deliveries: webhooks.length }));
    for (const webhook of webhooks)
      enqueue(app, webhook, trigger, { ...envelope(app, webhook, trigger, data), ...options.extra });
  }

  function enqueue(app: App, webhook: Webhook, trigger: string, body: JsonObject): void {
    const fault = parts.faults.onDelivery({ appId: app.appId, trigger, webhookId: webhook.id });
    if (fault?.drop === true) return;
    for (let copy = 0; copy < (fault?.copies ?? 1); copy += 1) {
      const createdMs = clock.now();
      const delivery = insertDelivery(db, {
        appId: app.appId,
        generation: webhook.generation,
        webhookId: webhook.id,
        trigger,
        body: JSON.stringify(body),
        createdMs,
        dueMs: createdMs + (fault?.delayMs ?? 0),
      });
      records.emit(() => ({
        type: "delivery.queued",
        appId: app.appId,
        deliveryId: delivery.id,
        webhookId: webhook.id,
        trigger,
      }));
      scheduleDelivery(delivery);
    }
  }

  function scheduleDelivery(delivery: Delivery): void {
    const dueMs = delivery.dueMs ?? clock.now();
    if (dueMs <= clock.now()) {
      waiting.push(delivery.id);
      startWaiting();
      return;
    }
    timers.set(
      delivery.id,
      clock.schedule(dueMs, () => {
        timers.delete(delivery.id);
        waiting.push(delivery.id);
        startWaiting();
      }),
    );
  }

  function startWaiting(): void {
    while (inFlight < parts.maxConcurrent) {
      const id = waiting.shift();
      if (id === undefined) return;
      inFlight += 1;
      // The call that caused the event is answered before the event goes out.
      setImmediate(() => void attempt(id).finally(finishOne));
    }
  }

  function finishOne(): void {
    inFlight -= 1;
    startWaiting();
    if (inFlight === 0 && waiting.length === 0) {
      const waiters = idleWaiters;
      idleWaiters = [];
      for (const resolve of waiters) resolve();
    }
  }

  async function attempt(id: number): Promise<void> {
    const delivery = findDelivery(db, id);
    if (delivery === undefined || delivery.state !== "pending") return;
    const webhook = findWebhook(db, delivery.appId, delivery.generation, delivery.webhookId);
    const atMs = clock.now();
    const startedIn = epoch;
    const result =
      webhook === undefined
        ? { status: undefined, error: "The webhook was deleted.", durationMs: 0 }
        : await parts.sender.send({
            url: webhook.url,
            body: delivery.body,
            authorization: authorizationOf(webhook),
            timeoutMs: parts.switches.deliveryTimeoutMs,
          });
    if (startedIn === epoch) settle(delivery, webhook, { ...result, atMs });
  }

  function settle(
    delivery: Delivery,
    webhook: Webhook | undefined,
    result: { atMs: number; durationMs: number; status: number | undefined; error: string | undefined },
  ): void {
    const number = delivery.attemptCount + 1;
    const firstAttemptMs = delivery.firstAttemptMs ?? result.atMs;
    const isDelivered = result.status !== undefined && isSuccess(result.status);
    const dueMs =
      isDelivered || webhook?.retryOnFailure !== true
        ? undefined
        : nextAttemptMs(
            { failedAttempts: number, firstAttemptMs, lastAttemptMs: result.atMs },
            parts.switches,
          );
    const state = isDelivered ? "delivered" : dueMs === undefined ? "lost" : "pending";
    const settled: Delivery = { ...delivery, state, attemptCount: number, firstAttemptMs, dueMs };
    recordAttempt(db, settled, { number, ...result });
    records.emit(() => ({
      type: "delivery.attempt",
      appId: delivery.appId,
      deliveryId: delivery.id,
      webhookId: delivery.webhookId,
      trigger: delivery.trigger,
      number,
      status: result.status,
      durationMs: result.durationMs,
      error: result.error,
      state,
      nextAttemptMs: dueMs,
    }));
    if (state === "pending") scheduleDelivery(settled);
  }

  return {
    emit,
    resume() {
      for (const delivery of listPending(db)) scheduleDelivery(delivery);
    },
    pause() {
      epoch += 1;
      waiting.length = 0;
      for (const timer of timers.values()) timer.cancel();
      timers.clear();
    },
    idle: () =>
      inFlight === 0 && waiting.length === 0
        ? Promise.resolve()
        : new Promise((resolve) => idleWaiters.push(resolve)),
  };
}

function envelope(app: App, webhook: Webhook, trigger: string, data: JsonObject): JsonObject {
  return { trigger, data, appId: app.appId, region: app.region, webhook: webhook.id };
}

function authorizationOf(webhook: Webhook): string | undefined {
  if (!webhook.useBasicAuth) return undefined;
  const credentials = `${webhook.username ?? ""}:${webhook.password ?? ""}`;
  return `Basic ${Buffer.from(credentials, "utf8").toString("base64")}`;
}
