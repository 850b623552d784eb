import { listSecrets } from "../store/apps.ts";
import type { Database } from "../store/database.ts";

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
// beginning stays, which is no secret; without the limit, a long text would take quadratic time.
const authTokenPattern = /[a-z0-9_-]{1,100}_\d{10}[0-9a-f]{16,}/g;
