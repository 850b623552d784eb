import { listSecrets } from "../store/apps.ts";
import type { Database } from "../store/database.ts";

/** Knows all API keys, management keys and passwords by value. */
export class Redactor {
  readonly #db: Database;
  #secrets: string[] = [];

  constructor(db: Database) {
    this.#db = db;
  }

  text(value: string): string {
    let clean = value;
    for (const secret of this.#secrets) {
      if (clean.includes(secret)) clean = clean.replaceAll(secret, mark);
    }
    return clean.replace(authTokenPattern, mark);
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
    this.#secrets = listSecrets(this.#db).filter((secret) => secret.length >= shortestSecret);
  }
}

const mark = "[redacted]";

// Shorter values would redact ordinary words ("ok").
const shortestSecret = 6;

// `<uid>_<unix seconds><hex>` (docs/internals/platform/addressing-and-keys.md#auth-tokens). A longer uid's
// beginning stays, which is no secret; without the limit, a long text would take quadratic time.
const authTokenPattern = /[a-z0-9_-]{1,100}_\d{10}[0-9a-f]{16,}/g;
