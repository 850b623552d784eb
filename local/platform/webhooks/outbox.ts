import type { FaultControl } from "../faults/control.ts";
import type { JsonObject } from "../json.ts";
import type { Clock } from "../services/clock.ts";
import { currentRequest, type RecordBus } from "../services/records.ts";
import type { DirectDelivery, EmitOptions, Outbox } from "../services/services.ts";
import type { Switches } from "../services/switches.ts";
import type { App } from "../store/apps.ts";
import type { Database } from "../store/database.ts";
import {
  activeEngine,
  type Delivery,
  findDelivery,
  findWebhook,
  insertDelivery,
  listPending,
  listSubscribed,
  type NewDelivery,
  recordAttempt,
} from "../store/webhooks.ts";
import { legacyEnvelope, toLegacyEvent } from "./legacy.ts";
import { DeliveryQueue, nextAttemptMs } from "./queue.ts";
import { authorizationOf, credentialsOf, isSuccess, type Sender, type SendResult } from "./send.ts";

type OutboxParts = {
  db: Database;
  clock: Clock;
  records: RecordBus;
  sender: Sender;
  switches: Switches;
  faults: FaultControl;
  maxConcurrent: number;
};

export class DeliveryOutbox implements Outbox {
  readonly #parts: OutboxParts;
  readonly #queue: DeliveryQueue;
  // Attempts before a pause must change nothing later.
  #epoch = 0;

  constructor(parts: OutboxParts) {
    this.#parts = parts;
    this.#queue = new DeliveryQueue({ ...parts, start: (id) => this.#attempt(id) });
  }

  emit(app: App, trigger: string, data: JsonObject, { extra, legacy }: EmitOptions = {}): void {
    const { db, records, switches } = this.#parts;
    const { appId, region } = app;
    const generation = activeEngine({ db, appId });
    const event = generation === 1 ? (legacy ?? toLegacyEvent(trigger, data)) : undefined;
    if (generation === 1 && event === undefined) return;
    const name = event?.trigger ?? trigger;
    const webhooks = listSubscribed({ db, appId }, generation, event?.subscription ?? name);
    records.emit(() => ({ type: "event", appId, trigger: name, deliveries: webhooks.length }));
    for (const { id: webhook } of webhooks) {
      const body =
        event === undefined
          ? { trigger, data, appId, region, webhook, ...extra }
          : legacyEnvelope(switches, app, event, { webhook });
      this.#enqueue({ appId, generation, webhookId: webhook, trigger: name, body: JSON.stringify(body) });
    }
  }

  deliver({ appId }: App, { name, trigger, body, target }: DirectDelivery): number | undefined {
    this.#parts.records.emit(() => ({ type: "event", appId, trigger, deliveries: 1 }));
    const text = JSON.stringify(body);
    return this.#enqueue({ appId, generation: 2, webhookId: name, trigger, body: text, target });
  }

  repeat(deliveryId: number): number | undefined {
    const delivery = findDelivery(this.#parts.db, deliveryId);
    if (delivery === undefined) return undefined;
    const { appId, generation, webhookId, trigger, body, target } = delivery;
    return this.#enqueue({ appId, generation, webhookId, trigger, body, target });
  }

  resume(): void {
    this.#queue.clear(); // deliveries since the start are pending, too
    for (const delivery of listPending(this.#parts.db)) this.#queue.add(delivery);
  }

  pause(): void {
    this.#epoch += 1;
    this.#queue.clear();
  }

  hasten(deliveryId: number): boolean {
    return this.#queue.hasten(deliveryId);
  }

  idle(): Promise<void> {
    return this.#queue.idle();
  }

  #enqueue(event: Omit<NewDelivery, "createdMs" | "dueMs">) {
    const { db, clock, records, faults } = this.#parts;
    const { appId, webhookId, trigger } = event;
    const fault = faults.onDelivery({ appId, trigger, webhookId });
    if (fault !== undefined) {
      const { ruleId, ...what } = fault;
      const says = Object.entries(what).map(([field, value]) => `${field} ${String(value)}`);
      const target = `${webhookId}/${trigger}`;
      records.emit(() => ({ type: "fault", appId, ruleId, target, fault: says.join(", ") }));
    }
    if (fault?.drop === true) return undefined;
    let first: number | undefined;
    for (let copy = 0; copy < (fault?.copies ?? 1); copy += 1) {
      const createdMs = clock.now();
      const dueMs = createdMs + (fault?.delayMs ?? fault?.overtakenWithinMs ?? 0);
      const delivery = insertDelivery(db, { ...event, createdMs, dueMs });
      const { id: deliveryId } = delivery;
      const requestId = currentRequest.getStore();
      records.emit(() => ({ type: "delivery.queued", appId, deliveryId, webhookId, trigger, requestId }));
      this.#queue.add(delivery, fault);
      first ??= deliveryId;
    }
    return first;
  }

  async #attempt(id: number) {
    const { db, clock, sender, switches } = this.#parts;
    const delivery = findDelivery(db, id);
    if (delivery === undefined || delivery.state !== "pending") return;
    const target = targetOf(db, delivery, switches);
    const atMs = clock.now();
    const startedIn = this.#epoch;
    const result =
      target === undefined
        ? { status: undefined, error: "The webhook was deleted.", durationMs: 0 }
        : await sender.send({
            url: target.url,
            body: delivery.body,
            authorization: target.credentials && authorizationOf(target.credentials),
            timeoutMs: switches.deliveryTimeoutMs,
          });
    if (startedIn !== this.#epoch) return;
    const settled = this.#settle(delivery, target?.isRetried === true, { ...result, atMs });
    if (settled.state === "pending") this.#queue.add(settled);
    this.#queue.release(delivery);
  }

  #settle(
    delivery: Delivery,
    isRetried: boolean,
    result: Pick<SendResult, "status" | "error" | "durationMs" | "localPort"> & { atMs: number },
  ): Delivery {
    const { db, records, switches } = this.#parts;
    const number = delivery.attemptCount + 1;
    const { atMs, durationMs, status, error, localPort } = result;
    const firstAttemptMs = delivery.firstAttemptMs ?? atMs;
    const isDelivered = status !== undefined && isSuccess(status);
    const history = { failedAttempts: number, firstAttemptMs, lastAttemptMs: atMs };
    const dueMs = isDelivered || !isRetried ? undefined : nextAttemptMs(history, switches);
    const state = isDelivered ? "delivered" : dueMs === undefined ? "lost" : "pending";
    const settled: Delivery = { ...delivery, state, attemptCount: number, firstAttemptMs, dueMs };
    recordAttempt(db, settled, { number, atMs, durationMs, status, error });
    const { appId, id: deliveryId, webhookId, trigger } = delivery;
    records.emit(() => ({
      type: "delivery.attempt",
      appId,
      deliveryId,
      webhookId,
      trigger,
      number,
      status,
      durationMs,
      error,
      localPort,
      state,
      nextAttemptMs: dueMs,
    }));
    return settled;
  }
}

function targetOf(db: Database, delivery: Delivery, switches: Pick<Switches, "callbackRetries">) {
  if (delivery.target !== undefined) return { ...delivery.target, isRetried: switches.callbackRetries };
  const webhook = findWebhook({ db, appId: delivery.appId }, delivery.generation, delivery.webhookId);
  if (webhook === undefined) return undefined;
  return { url: webhook.url, credentials: credentialsOf(webhook), isRetried: webhook.retryOnFailure };
}
