import { AsyncLocalStorage } from "node:async_hooks";
import type { Fidelity } from "../fidelity.ts";
import { listSecrets } from "../store/apps.ts";
import type { Database } from "../store/database.ts";
import type { Message } from "../store/messages.ts";
import type { Clock } from "./clock.ts";

/** `seq` grows by one, above those of earlier starts; `atMs` is platform time in milliseconds since 1970. */
export type PlatformRecord = { seq: number; atMs: number } & RecordBody;

/** Contains secrets. */
type Exchange = {
  /** Undefined if it was never read, or does not exist. */
  sent: Uint8Array | undefined;
  sentType: string;
  /** Empty without an answer. */
  answer: string;
};

export type QuestionKind = "before_message" | "custom_moderation" | "agent_tool" | "agent_run";

/** Redacted. `exchange` is not part of the JSON. */
type RecordBody =
  | {
      type: "request";
      /** Equal in all records that the request caused before its answer. */
      requestId: number;
      appId: string | undefined;
      method: string;
      path: string;
      operationId: string | undefined;
      onBehalfOf: string | undefined;
      userAgent: string | undefined;
      traceparent: string | undefined;
      invocation: string | undefined;
      /** The status, also if a fault suppressed the answer; 0 if it was dropped before. */
      status: number;
      code: string | undefined;
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
      /** Undefined if a client or time caused it. */
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
      localPort: number | undefined;
      state: "pending" | "delivered" | "lost";
      nextAttemptMs: number | undefined;
    }
  | { type: "fault"; appId: string | undefined; ruleId: string | undefined; target: string; fault: string }
  | {
      type: "callback";
      appId: string;
      kind: QuestionKind;
      target: string;
      method: string;
      status: number | undefined;
      durationMs: number;
      error: string | undefined;
      exchange: () => Exchange;
    }
  | { type: "state"; action: "reset" | "restored" };

export class RecordBus {
  readonly #clock: Clock;
  readonly #redactor: Redactor;
  readonly #listeners = new Set<(record: PlatformRecord) => void>();
  #seq: number;

  constructor(clock: Clock, redactor: Redactor) {
    this.#clock = clock;
    this.#redactor = redactor;
    // Prevents an old link from naming another record.
    this.#seq = Math.floor(clock.now()) * 100;
  }

  /** Calls nothing without listeners. */
  emit(build: () => RecordBody): void {
    this.#seq += 1;
    if (this.#listeners.size === 0) return;
    const record = { seq: this.#seq, atMs: this.#clock.now(), ...this.#redactor.value(build()) };
    for (const listener of this.#listeners) listener(record);
  }

  subscribe(listener: (record: PlatformRecord) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}

export const currentRequest = new AsyncLocalStorage<number>();

type HiderOf = (secrets: readonly string[]) => (text: string) => string;

export class Redactor {
  readonly #db: Database;
  #hiderOf: HiderOf = (secrets) => (text) =>
    secrets.reduce((clean, secret) => clean.replaceAll(secret, mark), text);
  #hide: (text: string) => string = (text) => text;

  constructor(db: Database) {
    this.#db = db;
  }

  /** @param hiderOf may hide more forms of secrets */
  hideWith(hiderOf: HiderOf): void {
    this.#hiderOf = hiderOf;
    this.refresh();
  }

  text(value: string): string {
    const hidden = this.#hide(value);
    return tokenEnd.test(hidden) ? hidden.replace(authTokenPattern, mark) : hidden;
  }

  value<T>(value: T): T;
  value(value: unknown): unknown {
    if (typeof value === "string") return this.text(value);
    if (Array.isArray(value)) return value.map((item: unknown) => this.value(item));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [this.text(key), this.value(item)]));
  }

  refresh(): void {
    this.#hide = this.#hiderOf(listSecrets(this.#db).filter((secret) => secret.length >= shortestSecret));
  }
}

const mark = "[redacted]";

// Shorter values would redact ordinary words ("ok").
const shortestSecret = 6;

/** Faster than the whole. */
const tokenEnd = /_\d{10}[0-9a-f]{16}/;
// Matches `<uid>_<unix seconds><hex>` (docs/internals/platform/addressing-and-keys.md#auth-tokens). The limit
// prevents quadratic time; 32 digits are a flow's id.
const authTokenPattern = /[a-z0-9_-]{1,100}_(?![0-9a-f]{32}(?![0-9a-f]))\d{10}[0-9a-f]{16,}/g;
