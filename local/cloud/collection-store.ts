import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { checkDatabase, withDataFaults } from "../files/data-fault.ts";

/** Opens a database that only this user can read. A crash of the process loses nothing. @throws DataFault */
export function openPrivateDatabase(folder: string, name: string, schema: string): DatabaseSync {
  const file = join(folder, name);
  return withDataFaults(file, () => openIn(folder, file, schema));
}

function openIn(folder: string, file: string, schema: string): DatabaseSync {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // Lazy: only a data folder needs `node:sqlite`.
  const sqlite = process.getBuiltinModule("node:sqlite");
  const database = new sqlite.DatabaseSync(file);
  chmodSync(file, 0o600);
  database.exec(
    `PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON; ${schema}`,
  );
  checkDatabase(database);
  return database;
}

/** Prepares a statement that throws DataFault if the file cannot be changed. */
export function prepareChange(database: DatabaseSync, sql: string) {
  const statement = database.prepare(sql);
  const file = database.location() ?? "";
  return (...values: string[]): void => withDataFaults(file, () => void statement.run(...values));
}

export interface StoredCollection {
  readonly name: string;
  readonly description: unknown;
  readonly records: readonly unknown[];
}

export interface Journal<Value> {
  put(key: string, value: Value): void;
  remove(key: string): void;
}

const layouts = {
  queues: ["messages", "queue", "id", "message"],
  tables: ["items", "tableName", "itemKey", "item"],
} as const;

export class CollectionStore {
  readonly #database: DatabaseSync;
  readonly #collections: keyof typeof layouts;

  constructor(folder: string, collections: keyof typeof layouts) {
    this.#collections = collections;
    const [records, owner, key, value] = layouts[collections];
    this.#database = openPrivateDatabase(
      folder,
      `${collections}.sqlite`,
      `CREATE TABLE IF NOT EXISTS ${collections} (name TEXT PRIMARY KEY, description TEXT NOT NULL) STRICT;
       CREATE TABLE IF NOT EXISTS ${records} (${owner} TEXT NOT NULL, ${key} TEXT NOT NULL, ${value} TEXT NOT NULL, PRIMARY KEY (${owner}, ${key})) STRICT, WITHOUT ROWID;`,
    );
  }

  load(): StoredCollection[] {
    const [table, owner, , value] = layouts[this.#collections];
    const records = this.#database.prepare(`SELECT ${value} value FROM ${table} WHERE ${owner} = ?`);
    const collections = this.#database.prepare(`SELECT name, description FROM ${this.#collections}`).all();
    return collections.map(({ name = "", description }) => ({
      name: String(name),
      description: JSON.parse(String(description)),
      records: records.all(name).map((row) => JSON.parse(String(row.value))),
    }));
  }

  put(name: string, description: object): void {
    const sql = `INSERT OR REPLACE INTO ${this.#collections} VALUES (?, ?)`;
    prepareChange(this.#database, sql)(name, JSON.stringify(description));
  }

  journalOf(name: string): Journal<object> {
    const [table, owner, key] = layouts[this.#collections];
    const put = prepareChange(this.#database, `INSERT OR REPLACE INTO ${table} VALUES (?, ?, ?)`);
    const remove = prepareChange(this.#database, `DELETE FROM ${table} WHERE ${owner} = ? AND ${key} = ?`);
    return {
      put: (recordKey, value) => put(name, recordKey, JSON.stringify(value)),
      remove: (recordKey) => remove(name, recordKey),
    };
  }

  close(): void {
    this.#database.close();
  }
}
