import { setImmediate } from "node:timers";
import type { DeliveryFault } from "../faults/rules.ts";
import type { Clock, Timer } from "../services/clock.ts";
import type { Switches } from "../services/switches.ts";
import type { Delivery } from "../store/webhooks.ts";

type Receiver = Pick<Delivery, "appId" | "generation" | "webhookId" | "target">;

type QueueParts = { clock: Clock; maxConcurrent: number; start(deliveryId: number): Promise<void> };

/** Each receiver has its own line and limit: a silent one delays no other. */
export class DeliveryQueue {
  readonly #parts: QueueParts;
  readonly #lines = new Map<string, { waiting: number[]; inFlight: number }>();
  readonly #timers = new Map<number, Timer & { start(): void }>();
  readonly #overtakable = new Map<string, number[]>();
  #idleWaiters: (() => void)[] = [];
  #isStartDue = false;

  constructor(parts: QueueParts) {
    this.#parts = parts;
  }

  add(delivery: Delivery, fault?: DeliveryFault): void {
    const { clock } = this.#parts;
    const { id, dueMs = clock.now() } = delivery;
    const key = keyOf(delivery);
    if (fault?.overtakenWithinMs !== undefined) {
      this.#overtakable.set(key, [...(this.#overtakable.get(key) ?? []), id]);
    }
    const start = () => this.#makeReady(key, id);
    if (dueMs <= clock.now()) start();
    else this.#timers.set(id, { cancel: clock.schedule(dueMs, start).cancel, start });
  }

  release(delivery: Receiver): void {
    const key = keyOf(delivery);
    const ids = this.#overtakable.get(key) ?? [];
    this.#overtakable.delete(key);
    for (const id of ids) this.hasten(id);
  }

  hasten(deliveryId: number): boolean {
    const timer = this.#timers.get(deliveryId);
    timer?.start();
    return timer !== undefined;
  }

  clear(): void {
    this.#overtakable.clear();
    for (const timer of this.#timers.values()) timer.cancel();
    this.#timers.clear();
    for (const [key, line] of this.#lines) {
      if (line.inFlight === 0) this.#lines.delete(key);
      else line.waiting = [];
    }
    this.#resolveIdle();
  }

  idle(): Promise<void> {
    if (this.#lines.size === 0) return Promise.resolve();
    return new Promise((resolve) => this.#idleWaiters.push(resolve));
  }

  #makeReady(key: string, id: number) {
    this.#timers.get(id)?.cancel();
    this.#timers.delete(id);
    const line = this.#lines.get(key) ?? { waiting: [], inFlight: 0 };
    this.#lines.set(key, line);
    line.waiting.push(id);
    this.#startSoon();
  }

  // The request is answered before its event goes out.
  #startSoon() {
    if (this.#isStartDue) return;
    this.#isStartDue = true;
    setImmediate(() => {
      this.#isStartDue = false;
      let turn = [...this.#lines.keys()];
      while (turn.length > 0) turn = turn.filter((key) => this.#startNext(key));
    });
  }

  #startNext(key: string) {
    const line = this.#lines.get(key);
    if (line === undefined || line.inFlight >= this.#parts.maxConcurrent) return false;
    const id = line.waiting.shift();
    if (id === undefined) return false;
    line.inFlight += 1;
    void this.#parts.start(id).finally(() => {
      line.inFlight -= 1;
      if (line.waiting.length > 0) this.#startSoon();
      else if (line.inFlight === 0) this.#lines.delete(key);
      this.#resolveIdle();
    });
    return true;
  }

  #resolveIdle() {
    if (this.#lines.size > 0) return;
    for (const resolve of this.#idleWaiters.splice(0)) resolve();
  }
}

// A bot and a webhook, or webhooks of both engines, may have one id.
function keyOf({ appId, generation, webhookId, target }: Receiver) {
  return JSON.stringify([appId, generation, webhookId, target?.url ?? null]);
}

/**
 * Returns 10 s and 30 s after the first attempt (by switch, the first retry).
 * @see docs/internals/platform/webhooks.md#retries
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
