import { setImmediate } from "node:timers";
import type { DeliveryFault } from "../faults/rules.ts";
import type { Clock, Timer } from "../services/clock.ts";
import type { Switches } from "../services/switches.ts";
import type { Delivery } from "../store/deliveries.ts";

/**
 * Holds deliveries until their time. Each receiver has its own line and its own bound of attempts in flight, so that one
 * that never answers keeps nobody else waiting; lines take turns, one delivery each.
 */
type DeliveryQueue = {
  /** Takes a delivery in; it starts when it is due, or behind the next one to the same receiver. */
  add(delivery: Delivery, fault?: DeliveryFault): void;
  /** Says that an attempt for a receiver ended, so that what let it go first may start. */
  release(delivery: Receiver): void;
  /** Has a delivery that waits for its time start at once; false when none of this id does. */
  hasten(deliveryId: number): boolean;
  /** Forgets all timers and everything that waits. */
  clear(): void;
  /** Resolves when nothing is in flight or about to start; retries in the future do not count. */
  idle(): Promise<void>;
};

/** What tells receivers apart: a webhook of an app and engine, or an address that is no webhook. */
type Receiver = Pick<Delivery, "appId" | "generation" | "webhookId" | "target">;

type Line = { waiting: Fifo<number>; inFlight: number };

/** Creates the queue. `start` makes one attempt and resolves when it ended; `maxConcurrent` counts per receiver. */
export function createDeliveryQueue(parts: {
  clock: Clock;
  maxConcurrent: number;
  start(deliveryId: number): Promise<void>;
}): DeliveryQueue {
  // Only receivers that have something waiting or in flight.
  const lines = new Map<string, Line>();
  const timers = new Map<number, Timer & { start(): void }>();
  const overtakable = new Map<string, number[]>();
  let idleWaiters: (() => void)[] = [];
  let isStartDue = false;

  function makeReady(key: string, id: number): void {
    timers.get(id)?.cancel();
    timers.delete(id);
    const line = lines.get(key) ?? { waiting: createFifo<number>(), inFlight: 0 };
    lines.set(key, line);
    line.waiting.push(id);
    startSoon();
  }

  // The request that caused the event is answered before the event goes out.
  function startSoon(): void {
    if (isStartDue) return;
    isStartDue = true;
    setImmediate(() => {
      isStartDue = false;
      let turn = [...lines];
      while (turn.length > 0) turn = turn.filter(([key, line]) => startNext(key, line));
    });
  }

  function startNext(key: string, line: Line): boolean {
    if (line.inFlight >= parts.maxConcurrent) return false;
    const id = line.waiting.shift();
    if (id === undefined) return false;
    line.inFlight += 1;
    void parts.start(id).finally(() => finishOne(key, line));
    return true;
  }

  function finishOne(key: string, line: Line): void {
    line.inFlight -= 1;
    if (line.waiting.length() > 0) startSoon();
    else if (line.inFlight === 0) lines.delete(key);
    tellIdle();
  }

  function tellIdle(): void {
    if (lines.size > 0) return;
    const waiters = idleWaiters;
    idleWaiters = [];
    for (const resolve of waiters) resolve();
  }

  return {
    add(delivery, fault) {
      const { id } = delivery;
      const key = keyOf(delivery);
      const dueMs = delivery.dueMs ?? parts.clock.now();
      if (fault?.overtakenWithinMs !== undefined) {
        overtakable.set(key, [...(overtakable.get(key) ?? []), id]);
      }
      if (dueMs <= parts.clock.now()) makeReady(key, id);
      else {
        const start = () => makeReady(key, id);
        const { cancel } = parts.clock.schedule(dueMs, start);
        timers.set(id, { cancel, start });
      }
    },
    hasten(deliveryId) {
      const timer = timers.get(deliveryId);
      timer?.start();
      return timer !== undefined;
    },
    release(delivery) {
      const key = keyOf(delivery);
      const ids = overtakable.get(key);
      if (ids === undefined) return;
      overtakable.delete(key);
      for (const id of ids) if (timers.has(id)) makeReady(key, id);
    },
    clear() {
      overtakable.clear();
      for (const timer of timers.values()) timer.cancel();
      timers.clear();
      for (const [key, line] of lines) {
        if (line.inFlight === 0) lines.delete(key);
        else line.waiting = createFifo();
      }
      tellIdle();
    },
    idle: () => (lines.size === 0 ? Promise.resolve() : new Promise((resolve) => idleWaiters.push(resolve))),
  };
}

// A bot may be called like a webhook, and each engine may have a webhook of the same id.
function keyOf({ appId, generation, webhookId, target }: Receiver): string {
  return JSON.stringify([appId, generation, webhookId, target?.url ?? null]);
}

/** A first-in, first-out list whose ends cost the same however long it is. */
type Fifo<T> = { push(item: T): void; shift(): T | undefined; length(): number };

/** Creates an empty list. `Array.shift` copies the rest each time, which a burst of thousands would feel. */
function createFifo<T>(): Fifo<T> {
  let items: T[] = [];
  let head = 0;
  return {
    push: (item) => void items.push(item),
    shift() {
      if (head === items.length) return undefined;
      const item = items[head];
      head += 1;
      if (head > 1_000 && head * 2 > items.length) {
        items = items.slice(head);
        head = 0;
      }
      return item;
    },
    length: () => items.length - head,
  };
}

/**
 * Gives the time of the next attempt, or undefined when the platform gives up: 10 s after the first attempt, then
 * 30 s after it (or 30 s after the first retry, by switch).
 * @see docs/platform/webhooks.md#retries
 */
export function nextAttemptMs(
  history: { failedAttempts: number; firstAttemptMs: number; lastAttemptMs: number },
  switches: Pick<Switches, "secondRetryFrom">,
): number | undefined {
  if (history.failedAttempts === 1) return history.firstAttemptMs + firstRetryMs;
  if (history.failedAttempts !== 2) return undefined;
  const from = switches.secondRetryFrom === "firstAttempt" ? history.firstAttemptMs : history.lastAttemptMs;
  return from + secondRetryMs;
}

const firstRetryMs = 10_000;
const secondRetryMs = 30_000;
