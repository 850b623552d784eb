import { AsyncLocalStorage } from "node:async_hooks";
import type { Fidelity } from "../fidelity.ts";
import type { Message } from "../store/messages.ts";
import type { Clock } from "./clock.ts";
import type { Redactor } from "./redact.ts";

/**
 * Records one occurrence. `seq` grows by one, and is above those of every start before; `atMs` is
 * platform time in milliseconds since 1970.
 */
export type PlatformRecord = { seq: number; atMs: number } & RecordBody;

/** The bodies of a request and its answer. They still hold secrets: code that shows them must redact them. */
type Exchange = {
  /**
   * The body as sent; undefined where it was never read, as the request was refused before, or it has none.
   */
  sent: Uint8Array | undefined;
  /** Its content type. */
  sentType: string;
  /** The answer's body; empty where there was none. */
  answer: string;
};

/**
 * What happened. None of these holds a key, password or token: the bus redacts them by value. What `exchange`
 * returns is built when it is called, and is no part of the record as JSON.
 */
type RecordBody =
  | {
      type: "request";
      /** Equal in every record of what the request caused before it was answered. */
      requestId: number;
      appId: string | undefined;
      method: string;
      path: string;
      operationId: string | undefined;
      onBehalfOf: string | undefined;
      userAgent: string | undefined;
      /** The header `traceparent`, as it was sent: with it the caller names what the request belongs to. */
      traceparent: string | undefined;
      /**
       * What it was answered with, or would have been if a fault had let the answer out; 0 for one that was
       * dropped before.
       */
      status: number;
      code: string | undefined;
      /** The planned fault that struck, in words. */
      fault: string | undefined;
      fidelity: Fidelity;
      durationMs: number;
      exchange: () => Exchange;
    }
  | { type: "message"; appId: string; action: "sent" | "edited" | "deleted"; message: Message }
  | { type: "event"; appId: string; trigger: string; deliveries: number }
  | {
      type: "delivery.queued";
      appId: string;
      deliveryId: number;
      webhookId: string;
      trigger: string;
      /** The request that caused it; undefined where a client or time did. */
      requestId: number | undefined;
    }
  | {
      type: "delivery.attempt";
      appId: string;
      deliveryId: number;
      webhookId: string;
      trigger: string;
      number: number;
      status: number | undefined;
      durationMs: number;
      error: string | undefined;
      /** The port that the attempt was made from; undefined where there was no connection. */
      localPort: number | undefined;
      state: "pending" | "delivered" | "lost";
      nextAttemptMs: number | undefined;
    }
  | { type: "fault"; appId: string | undefined; ruleId: string | undefined; target: string; fault: string }
  | {
      type: "callback";
      appId: string;
      kind: "before_message" | "custom_moderation";
      target: string;
      status: number | undefined;
      durationMs: number;
      error: string | undefined;
      exchange: () => Exchange;
    }
  | { type: "state"; action: "reset" | "restored" };

/** Passes records to listeners. */
export class RecordBus {
  readonly #clock: Clock;
  readonly #redactor: Redactor;
  readonly #listeners = new Set<(record: PlatformRecord) => void>();
  #seq: number;

  constructor(clock: Clock, redactor: Redactor) {
    this.#clock = clock;
    this.#redactor = redactor;
    // Above all numbers of earlier starts, so that an older page or link names no other record by accident.
    this.#seq = Math.floor(clock.now()) * 100;
  }

  /** Builds and passes a record; the builder does not run without listeners. */
  emit(build: () => RecordBody): void {
    this.#seq += 1;
    if (this.#listeners.size === 0) return;
    const record = { seq: this.#seq, atMs: this.#clock.now(), ...this.#redactor.value(build()) };
    for (const listener of this.#listeners) listener(record);
  }

  /** Adds a listener and returns the function that removes it. */
  subscribe(listener: (record: PlatformRecord) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}

/** The id of the request in which something happens; none where a client or time makes it happen. */
export const currentRequest = new AsyncLocalStorage<number>();
