import type { FaultControl } from "../faults/control.ts";
import type { Clock } from "../services/clock.ts";
import { currentRequest, type RecordBus } from "../services/records.ts";
import type { Outbox } from "../services/services.ts";
import type { Switches } from "../services/switches.ts";
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

export function createOutbox(parts: OutboxParts): Outbox {
  const { db, clock, records, sender, switches } = parts;
  const queue = new DeliveryQueue({ clock, maxConcurrent: parts.maxConcurrent, start: attempt });
  // Grows with every pause: earlier attempts in flight must not change what is stored later.
  let epoch = 0;

  async function attempt(id: number): Promise<void> {
    const delivery = findDelivery(db, id);
    if (delivery === undefined || delivery.state !== "pending") return;
    const target = targetOf(db, delivery, switches);
    const atMs = clock.now();
    const startedIn = epoch;
    const result =
      target === undefined
        ? { status: undefined, error: "The webhook was deleted.", durationMs: 0 }
        : await sender.send({
            url: target.url,
            body: delivery.body,
            authorization: target.credentials && authorizationOf(target.credentials),
            timeoutMs: switches.deliveryTimeoutMs,
          });
    if (startedIn !== epoch) return;
    const settled = settle(parts, delivery, target?.isRetried === true, { ...result, atMs });
    if (settled.state === "pending") queue.add(settled);
    queue.release(delivery);
  }

  return {
    emit(app, trigger, data, { extra, legacy } = {}) {
      const { appId, region } = app;
      const generation = activeEngine({ db, appId });
      const event = generation === 1 ? (legacy ?? toLegacyEvent(trigger, data)) : undefined;
      if (generation === 1 && event === undefined) return;
      const name = event?.trigger ?? trigger;
      const webhooks = listSubscribed({ db, appId }, generation, event?.subscription ?? name);
      records.emit(() => ({ type: "event", appId, trigger: name, deliveries: webhooks.length }));
      for (const { id } of webhooks) {
        const body =
          event === undefined
            ? { trigger, data, appId, region, webhook: id, ...extra }
            : legacyEnvelope(switches, app, event, { webhook: id });
        enqueue(parts, queue, {
          ...{ appId, generation, webhookId: id, trigger: name },
          body: JSON.stringify(body),
        });
      }
    },
    deliver({ appId }, { name, trigger, body, target }) {
      records.emit(() => ({ type: "event", appId, trigger, deliveries: 1 }));
      return enqueue(parts, queue, {
        ...{ appId, generation: 2, webhookId: name, trigger, target },
        body: JSON.stringify(body),
      });
    },
    repeat(deliveryId) {
      const delivery = findDelivery(db, deliveryId);
      if (delivery === undefined) return undefined;
      const { appId, generation, webhookId, trigger, body, target } = delivery;
      return enqueue(parts, queue, { appId, generation, webhookId, trigger, body, target });
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

// Stores an event for one receiver, as often as its fault wants, and returns the first id.
function enqueue(
  { db, clock, records, faults }: OutboxParts,
  queue: DeliveryQueue,
  event: Omit<NewDelivery, "createdMs" | "dueMs">,
) {
  const { appId, webhookId, trigger } = event;
  const fault = faults.onDelivery({ appId, trigger, webhookId });
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
    const deliveryId = delivery.id;
    const requestId = currentRequest.getStore();
    records.emit(() => ({ type: "delivery.queued", appId, deliveryId, webhookId, trigger, requestId }));
    queue.add(delivery, fault);
    first ??= deliveryId;
  }
  return first;
}

function settle(
  { db, records, switches }: OutboxParts,
  delivery: Delivery,
  isRetried: boolean,
  result: Pick<SendResult, "status" | "error" | "durationMs" | "localPort"> & { atMs: number },
): Delivery {
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
    ...{ appId, deliveryId, webhookId, trigger, number },
    ...{ status, durationMs, error, localPort, state, nextAttemptMs: dueMs },
  }));
  return settled;
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
