import { listSecrets } from "../store/apps.ts";
import type { Database } from "../store/database.ts";

/** Removes secrets from output for people: knows all API keys, management keys and passwords by value. */
export class Redactor {
  readonly #db: Database;
  #secrets: string[] = [];

  constructor(db: Database) {
    this.#db = db;
  }

  /** Replaces every known secret inside a text. */
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

// Shorter values would blank ordinary words ("ok"), and guard nothing.
const shortestSecret = 6;

// `<uid>_<unix seconds><hex>`: the form of auth tokens
// (docs/internals/platform/addressing-and-keys.md#auth-tokens). Of a longer uid the beginning stays, which is
// no secret; without an end, a long text would take the square of its length.
const authTokenPattern = /[a-z0-9_-]{1,100}_\d{10}[0-9a-f]{16,}/g;
