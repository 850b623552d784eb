import { AsyncLocalStorage } from "node:async_hooks";
import type { Fidelity } from "../fidelity.ts";
import { listSecrets } from "../store/apps.ts";
import type { Database } from "../store/database.ts";
import type { Message } from "../store/messages.ts";
import type { Clock } from "./clock.ts";

/** `seq` grows by one, above those of earlier starts; `atMs` is platform time in milliseconds since 1970. */
export type PlatformRecord = { seq: number; atMs: number } & RecordBody;

/** They hold secrets: redact them before showing them. */
type Exchange = {
  /**
   * The body as sent; undefined where it was never read, as the request was refused before, or it has none.
   */
  sent: Uint8Array | undefined;
  /** Its content type. */
  sentType: string;
  /** Empty without an answer. */
  answer: string;
};

/** What a customer's server is asked. */
export type QuestionKind = "before_message" | "custom_moderation" | "agent_tool" | "agent_run";

/**
 * Keys, passwords and tokens are redacted by value. `exchange` builds its result when called, and is not part
 * of the record's JSON.
 */
type RecordBody =
  | {
      type: "request";
      /** Equal in all records of what the request caused before its answer. */
      requestId: number;
      appId: string | undefined;
      method: string;
      path: string;
      operationId: string | undefined;
      onBehalfOf: string | undefined;
      userAgent: string | undefined;
      /** The caller's header, as sent: it names what the request belongs to. */
      traceparent: string | undefined;
      /** Also of an answer that a fault suppressed; 0 if it was dropped before. */
      status: number;
      code: string | undefined;
      /** The planned fault that struck. */
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
      /** The attempt's own port; undefined without a connection. */
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

/** Passes records to listeners. */
export class RecordBus {
  readonly #clock: Clock;
  readonly #redactor: Redactor;
  readonly #listeners = new Set<(record: PlatformRecord) => void>();
  #seq: number;

  constructor(clock: Clock, redactor: Redactor) {
    this.#clock = clock;
    this.#redactor = redactor;
    // Above all numbers of earlier starts, so that an old page or link names no other record.
    this.#seq = Math.floor(clock.now()) * 100;
  }

  /** Does not run without listeners. */
  emit(build: () => RecordBody): void {
    this.#seq += 1;
    if (this.#listeners.size === 0) return;
    const record = { seq: this.#seq, atMs: this.#clock.now(), ...this.#redactor.value(build()) };
    for (const listener of this.#listeners) listener(record);
  }

  /** Returns what removes the listener. */
  subscribe(listener: (record: PlatformRecord) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}

/** Undefined for what clients or time cause. */
export const currentRequest = new AsyncLocalStorage<number>();

type HiderOf = (secrets: readonly string[]) => (text: string) => string;

/** Knows all API keys, management keys and passwords by value. */
export class Redactor {
  readonly #db: Database;
  #hiderOf: HiderOf = (secrets) => (text) =>
    secrets.reduce((clean, secret) => clean.replaceAll(secret, mark), text);
  #hide: (text: string) => string = (text) => text;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Replaces secrets with another function, which may know more of their forms. */
  hideWith(hiderOf: HiderOf): void {
    this.#hiderOf = hiderOf;
    this.refresh();
  }

  text(value: string): string {
    return this.#hide(value).replace(authTokenPattern, mark);
  }

  /** Copies a value with every text in it redacted. */
  value<T>(value: T): T;
  value(value: unknown): unknown {
    if (typeof value === "string") return this.text(value);
    if (Array.isArray(value)) return value.map((item: unknown) => this.value(item));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [this.text(key), this.value(item)]));
  }

  /** Reads the secrets again; needed when a key or password changed. */
  refresh(): void {
    this.#hide = this.#hiderOf(listSecrets(this.#db).filter((secret) => secret.length >= shortestSecret));
  }
}

const mark = "[redacted]";

// Shorter values would redact ordinary words ("ok").
const shortestSecret = 6;

// `<uid>_<unix seconds><hex>` (docs/internals/platform/addressing-and-keys.md#auth-tokens). A longer uid's
// beginning stays, which is no secret; without the limit, a long text would take quadratic time. 32 digits
// after the name are a flow's id, which may begin with ten decimal ones.
const authTokenPattern = /[a-z0-9_-]{1,100}_(?![0-9a-f]{32}(?![0-9a-f]))\d{10}[0-9a-f]{16,}/g;
