import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";

/**
 * Opens a SQLite database in a folder that only this user may read. Creates both if absent. A crash of this process loses
 * nothing; a crash of the machine may lose the last moment.
 */
export function openPrivateDatabase(folder: string, name: string, schema: string): DatabaseSync {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, name);
  // Loaded on use: without a data folder, any supported version of Node is enough.
  const sqlite = process.getBuiltinModule("node:sqlite");
  const database = new sqlite.DatabaseSync(file);
  chmodSync(file, 0o600);
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; ${schema}`);
  return database;
}

/** A queue or table of an earlier start. Description and records are parsed JSON. */
export interface StoredCollection {
  readonly name: string;
  readonly description: unknown;
  readonly records: readonly unknown[];
}

/** Writes the records of one collection. */
export interface Journal<Value> {
  put(key: string, value: Value): void;
  remove(key: string): void;
}

/** Keeps named collections and their records across restarts. */
export class CollectionStore {
  readonly #database: DatabaseSync;
  readonly #records: string;
  readonly #collections: string;

  /** Opens `<collections>.sqlite` in a folder. */
  constructor(folder: string, collections: "queues" | "tables") {
    this.#collections = collections;
    this.#records = collections === "queues" ? "messages" : "items";
    const columns =
      collections === "queues"
        ? "queue TEXT NOT NULL, id TEXT NOT NULL, message TEXT NOT NULL, PRIMARY KEY (queue, id)"
        : "tableName TEXT NOT NULL, itemKey TEXT NOT NULL, item TEXT NOT NULL, PRIMARY KEY (tableName, itemKey)";
    this.#database = openPrivateDatabase(
      folder,
      `${collections}.sqlite`,
      `CREATE TABLE IF NOT EXISTS ${collections} (name TEXT PRIMARY KEY, description TEXT NOT NULL) STRICT;
       CREATE TABLE IF NOT EXISTS ${this.#records} (${columns}) STRICT, WITHOUT ROWID;`,
    );
  }

  load(): StoredCollection[] {
    const [owner, , value] = this.#columns();
    const records = this.#database.prepare(`SELECT ${value} value FROM ${this.#records} WHERE ${owner} = ?`);
    const collections = this.#database.prepare(`SELECT name, description FROM ${this.#collections}`).all();
    return collections.map(({ name = "", description }) => ({
      name: String(name),
      description: JSON.parse(String(description)),
      records: records.all(name).map((row) => JSON.parse(String(row.value))),
    }));
  }

  put(name: string, description: object): void {
    const sql = `INSERT OR REPLACE INTO ${this.#collections} VALUES (?, ?)`;
    this.#database.prepare(sql).run(name, JSON.stringify(description));
  }

  /** Removes a collection with its records. */
  remove(name: string): void {
    const [owner] = this.#columns();
    this.#database.prepare(`DELETE FROM ${this.#records} WHERE ${owner} = ?`).run(name);
    this.#database.prepare(`DELETE FROM ${this.#collections} WHERE name = ?`).run(name);
  }

  journalOf(name: string): Journal<object> {
    const [owner, key] = this.#columns();
    const put = this.#database.prepare(`INSERT OR REPLACE INTO ${this.#records} VALUES (?, ?, ?)`);
    const remove = this.#database.prepare(`DELETE FROM ${this.#records} WHERE ${owner} = ? AND ${key} = ?`);
    return {
      put: (recordKey, value) => void put.run(name, recordKey, JSON.stringify(value)),
      remove: (recordKey) => void remove.run(name, recordKey),
    };
  }

  close(): void {
    this.#database.close();
  }

  #columns() {
    return this.#collections === "queues" ? ["queue", "id", "message"] : ["tableName", "itemKey", "item"];
  }
}
