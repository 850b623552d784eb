import type { DeliveryFault } from "../faults/plan.ts";
import type { Clock, Timer } from "../services/clock.ts";
import type { Delivery } from "../store/deliveries.ts";

/** Holds deliveries until their time, and starts at most so many at once. */
export type DeliveryQueue = {
  /** Takes a delivery in; it starts when it is due, or behind the next one to the same webhook. */
  add(delivery: Delivery, fault?: DeliveryFault): void;
  /** Says that an attempt for a webhook ended, so that what let it go first may start. */
  release(delivery: Pick<Delivery, "appId" | "webhookId">): void;
  /** Forgets all timers and everything that waits. */
  clear(): void;
  /** Resolves when nothing is in flight or about to start; retries in the future do not count. */
  idle(): Promise<void>;
};

/** Creates the queue. `start` makes one attempt and resolves when it ended. */
export function createDeliveryQueue(parts: {
  clock: Clock;
  maxConcurrent: number;
  start(deliveryId: number): Promise<void>;
}): DeliveryQueue {
  const { clock } = parts;
  const waiting = createFifo();
  const timers = new Map<number, Timer>();
  const overtakable = new Map<string, number[]>();
  let idleWaiters: (() => void)[] = [];
  let inFlight = 0;

  function makeReady(id: number): void {
    timers.get(id)?.cancel();
    timers.delete(id);
    waiting.push(id);
    startWaiting();
  }

  function startWaiting(): void {
    while (inFlight < parts.maxConcurrent) {
      const id = waiting.shift();
      if (id === undefined) return;
      inFlight += 1;
      // The request that caused the event is answered before the event goes out.
      setImmediate(() => void parts.start(id).finally(finishOne));
    }
  }

  function finishOne(): void {
    inFlight -= 1;
    startWaiting();
    if (inFlight > 0 || waiting.length() > 0) return;
    const waiters = idleWaiters;
    idleWaiters = [];
    for (const resolve of waiters) resolve();
  }

  return {
    add(delivery, fault) {
      const dueMs = delivery.dueMs ?? clock.now();
      if (fault?.overtakenWithinMs !== undefined) {
        const key = keyOf(delivery);
        overtakable.set(key, [...(overtakable.get(key) ?? []), delivery.id]);
      }
      if (dueMs <= clock.now()) makeReady(delivery.id);
      else
        timers.set(
          delivery.id,
          clock.schedule(dueMs, () => makeReady(delivery.id)),
        );
    },
    release(delivery) {
      const key = keyOf(delivery);
      const ids = overtakable.get(key);
      if (ids === undefined) return;
      overtakable.delete(key);
      for (const id of ids) if (timers.has(id)) makeReady(id);
    },
    clear() {
      waiting.clear();
      overtakable.clear();
      for (const timer of timers.values()) timer.cancel();
      timers.clear();
    },
    idle: () =>
      inFlight === 0 && waiting.length() === 0
        ? Promise.resolve()
        : new Promise((resolve) => idleWaiters.push(resolve)),
  };
}

function keyOf({ appId, webhookId }: Pick<Delivery, "appId" | "webhookId">): string {
  return `${appId}/${webhookId}`;
}

// Array.shift copies the rest each time, which a burst of thousands would feel.
function createFifo() {
  let items: number[] = [];
  let head = 0;
  return {
    push: (id: number) => void items.push(id),
    shift(): number | undefined {
      const id = items[head];
      if (id === undefined) return undefined;
      head += 1;
      if (head > 1_000 && head * 2 > items.length) {
        items = items.slice(head);
        head = 0;
      }
      return id;
    },
    length: () => items.length - head,
    clear() {
      items = [];
      head = 0;
    },
  };
}
