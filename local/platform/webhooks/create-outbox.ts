import type { FaultControl } from "../faults/control.ts";
import type { JsonObject } from "../json.ts";
import type { Clock } from "../services/clock.ts";
import { currentRequest, type RecordBus } from "../services/records.ts";
import type { EmitOptions, LegacyEvent, Outbox } from "../services/services.ts";
import type { Switches } from "../services/switches.ts";
import type { App } from "../store/apps.ts";
import type { Database } from "../store/database.ts";
import {
  type Delivery,
  findDelivery,
  insertDelivery,
  listPending,
  type NewDelivery,
  recordAttempt,
} from "../store/deliveries.ts";
import {
  activeEngine,
  findWebhook,
  type Generation,
  listSubscribed,
  type Webhook,
} from "../store/webhooks.ts";
import { legacyEnvelope, toLegacyEvent } from "./legacy.ts";
import { DeliveryQueue, nextAttemptMs } from "./queue.ts";
import { authorizationOf, credentialsOf, isSuccess, type Sender, type SendResult } from "./send.ts";

/** What the outbox is made of. */
type OutboxParts = {
  db: Database;
  clock: Clock;
  records: RecordBus;
  sender: Sender;
  switches: Switches;
  faults: FaultControl;
  maxConcurrent: number;
};

/** Creates the outbox. */
export function createOutbox(parts: OutboxParts): Outbox {
  const { db, clock, records, switches } = parts;
  const queue = new DeliveryQueue({ clock, maxConcurrent: parts.maxConcurrent, start: attempt });
  // Grows with every pause: what was in flight before it must not touch what is stored after it.
  let epoch = 0;

  function emit(app: App, trigger: string, data: JsonObject, options: EmitOptions = {}) {
    if (activeEngine({ db, appId: app.appId }) === 1) {
      const event = options.legacy ?? toLegacyEvent(trigger, data);
      if (event !== undefined) emitLegacy(app, event);
      return;
    }
    announce(app, trigger, listSubscribed({ db, appId: app.appId }, 2, trigger), (webhook) => ({
      trigger,
      data,
      appId: app.appId,
      region: app.region,
      webhook: webhook.id,
      ...options.extra,
    }));
  }

  function emitLegacy(app: App, event: LegacyEvent) {
    const webhooks = listSubscribed({ db, appId: app.appId }, 1, event.subscription ?? event.trigger);
    announce(app, event.trigger, webhooks, (webhook) =>
      legacyEnvelope(switches, app, event, { webhook: webhook.id }),
    );
  }

  function announce(
    app: App,
    trigger: string,
    webhooks: readonly Webhook[],
    toBody: (webhook: Webhook) => JsonObject,
  ) {
    records.emit(() => ({ type: "event", appId: app.appId, trigger, deliveries: webhooks.length }));
    for (const webhook of webhooks) {
      enqueue({
        appId: app.appId,
        generation: webhook.generation,
        webhookId: webhook.id,
        trigger,
        body: JSON.stringify(toBody(webhook)),
      });
    }
  }

  function enqueue(event: Omit<NewDelivery, "createdMs" | "dueMs">) {
    const { appId, webhookId, trigger } = event;
    const fault = parts.faults.onDelivery({ appId, trigger, webhookId });
    if (fault !== undefined) {
      const target = `${webhookId}/${trigger}`;
      records.emit(() => ({ type: "fault", appId, ruleId: fault.ruleId, target, fault: describe(fault) }));
    }
    if (fault?.drop === true) return undefined;
    let first: number | undefined;
    for (let copy = 0; copy < (fault?.copies ?? 1); copy += 1) {
      const createdMs = clock.now();
      const dueMs = createdMs + (fault?.delayMs ?? fault?.overtakenWithinMs ?? 0);
      const delivery = insertDelivery(db, { ...event, createdMs, dueMs });
      records.emit(() => ({
        type: "delivery.queued",
        appId,
        deliveryId: delivery.id,
        webhookId,
        trigger,
        requestId: currentRequest.getStore(),
      }));
      queue.add(delivery, fault);
      first ??= delivery.id;
    }
    return first;
  }

  async function attempt(id: number) {
    const delivery = findDelivery(db, id);
    if (delivery === undefined || delivery.state !== "pending") return;
    const target = targetOf(db, delivery, switches);
    const atMs = clock.now();
    const startedIn = epoch;
    const result =
      target === undefined
        ? { status: undefined, error: "The webhook was deleted.", durationMs: 0 }
        : await parts.sender.send({
            url: target.url,
            body: delivery.body,
            authorization: target.credentials === undefined ? undefined : authorizationOf(target.credentials),
            timeoutMs: switches.deliveryTimeoutMs,
          });
    if (startedIn !== epoch) return;
    settle(delivery, target?.isRetried === true, { ...result, atMs });
    queue.release(delivery);
  }

  function settle(
    delivery: Delivery,
    isRetried: boolean,
    result: Pick<SendResult, "status" | "error" | "durationMs" | "localPort"> & { atMs: number },
  ) {
    const number = delivery.attemptCount + 1;
    const firstAttemptMs = delivery.firstAttemptMs ?? result.atMs;
    const isDelivered = result.status !== undefined && isSuccess(result.status);
    const history = { failedAttempts: number, firstAttemptMs, lastAttemptMs: result.atMs };
    const dueMs = isDelivered || !isRetried ? undefined : nextAttemptMs(history, switches);
    const state = isDelivered ? "delivered" : dueMs === undefined ? "lost" : "pending";
    const settled: Delivery = { ...delivery, state, attemptCount: number, firstAttemptMs, dueMs };
    const { atMs, durationMs, status, error, localPort } = result;
    recordAttempt(db, settled, { number, atMs, durationMs, status, error });
    records.emit(() => ({
      type: "delivery.attempt",
      appId: delivery.appId,
      deliveryId: delivery.id,
      webhookId: delivery.webhookId,
      trigger: delivery.trigger,
      number,
      ...{ status, durationMs, error, localPort },
      state,
      nextAttemptMs: dueMs,
    }));
    if (state === "pending") queue.add(settled);
  }

  return {
    emit,
    deliver(app, { name, trigger, body, target }) {
      records.emit(() => ({ type: "event", appId: app.appId, trigger, deliveries: 1 }));
      const generation: Generation = 2;
      return enqueue({
        appId: app.appId,
        generation,
        webhookId: name,
        trigger,
        body: JSON.stringify(body),
        target,
      });
    },
    repeat(deliveryId) {
      const delivery = findDelivery(db, deliveryId);
      if (delivery === undefined) return undefined;
      const { appId, generation, webhookId, trigger, body, target } = delivery;
      return enqueue({ appId, generation, webhookId, trigger, body, target });
    },
    resume() {
      for (const delivery of listPending(db)) queue.add(delivery);
    },
    pause() {
      epoch += 1;
      queue.clear();
    },
    hasten: (deliveryId) => queue.hasten(deliveryId),
    idle: () => queue.idle(),
  };
}

function targetOf(db: Database, delivery: Delivery, switches: Pick<Switches, "callbackRetries">) {
  if (delivery.target !== undefined) return { ...delivery.target, isRetried: switches.callbackRetries };
  const webhook = findWebhook({ db, appId: delivery.appId }, delivery.generation, delivery.webhookId);
  if (webhook === undefined) return undefined;
  return { url: webhook.url, credentials: credentialsOf(webhook), isRetried: webhook.retryOnFailure };
}

function describe(fault: object) {
  return Object.entries(fault)
    .filter(([field]) => field !== "ruleId")
    .map(([field, value]) => `${field} ${String(value)}`)
    .join(", ");
}
