import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from "node:sqlite";
import { isJsonObject, type JsonObject } from "../json.ts";
import { schema, statistics } from "./schema.ts";

/** Holds one row as SQLite gives it; read it with the functions of `row.ts`. */
export type Row = Record<string, SQLOutputValue>;

/** Tells a stored entity from any other value. */
type Recognises<T> = (value: unknown) => value is T;

/** Holds all rows of all tables, as plain values. */
export type Snapshot = { tables: Record<string, Row[]> };

/** One app's part of the database. Every request to an app is one. */
export type AppData = { db: Database; appId: string };

/** Owns the SQLite connection and its prepared statements (one per distinct text, kept for the lifetime). */
export class Database {
  readonly #connection: DatabaseSync;
  #isClosed = false;
  readonly #statements = new Map<string, StatementSync>();
  #depth = 0;

  /**
   * Opens a file, or memory when `dataFile` is undefined, and creates missing tables.
   * @throws Error when the file cannot be opened
   */
  constructor(dataFile: string | undefined) {
    this.#connection = open(dataFile ?? ":memory:");
    this.#connection.exec(
      "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA temp_store = MEMORY;",
    );
    this.#connection.exec(schema);
    this.#connection.exec(statistics);
  }

  /** Reads the first row, or undefined. */
  get(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.#prepare(sql).get(...values);
  }

  /** Reads all rows. */
  all(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.#prepare(sql).all(...values);
  }

  /** Reads the first row by `read`; undefined if there is none. */
  first<T>(read: (row: Row) => T, sql: string, ...values: SQLInputValue[]): T | undefined {
    const row = this.get(sql, ...values);
    return row === undefined ? undefined : read(row);
  }

  /** Reads the entity in the column `body` of the first row. @throws TypeError if it is another one */
  entity<T>(is: Recognises<T>, sql: string, ...values: SQLInputValue[]): T | undefined {
    return this.first((row) => entityIn(row, "body", is), sql, ...values);
  }

  /** Reads the entities in the column `body` of all rows. @throws TypeError if one is another one */
  entities<T>(is: Recognises<T>, sql: string, ...values: SQLInputValue[]): T[] {
    return this.all(sql, ...values).map((row) => entityIn(row, "body", is));
  }

  /** Reads the column `n` of the first row; 0 if there is none. */
  count(sql: string, ...values: SQLInputValue[]): number {
    return this.first((row) => integerIn(row, "n"), sql, ...values) ?? 0;
  }

  /** Tells whether there is a row. */
  has(sql: string, ...values: SQLInputValue[]): boolean {
    return this.get(sql, ...values) !== undefined;
  }

  /** Writes, and gives the number of rows changed. */
  run(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.#prepare(sql).run(...values).changes);
  }

  /** Runs several writes as one: all or none. May be nested; the outermost commits. Must not await. */
  transaction<T>(work: () => T): T {
    if (this.#depth > 0) return work();
    this.#depth += 1;
    this.#connection.exec("BEGIN IMMEDIATE");
    try {
      const result = work();
      this.#connection.exec("COMMIT");
      return result;
    } catch (error) {
      this.#connection.exec("ROLLBACK");
      throw error;
    } finally {
      this.#depth -= 1;
    }
  }

  /** Copies every table. */
  snapshot(): Snapshot {
    return {
      tables: Object.fromEntries(
        this.#tableNames().map((table) => [table, this.#connection.prepare(`SELECT * FROM ${table}`).all()]),
      ),
    };
  }

  /** Names every table with its columns: a snapshot fits where this is the same. */
  shape(): string {
    const columnsOf = (table: string) =>
      this.all(`SELECT name FROM pragma_table_info('${table}')`).map(({ name }) => String(name));
    return JSON.stringify(
      this.#tableNames()
        .toSorted()
        .map((table) => [table, ...columnsOf(table).toSorted()]),
    );
  }

  /** Empties every table, then fills them from the snapshot. */
  restore(snapshot: Snapshot): void {
    this.transaction(() => {
      for (const table of this.#tableNames()) {
        this.#connection.exec(`DELETE FROM ${table}`);
        for (const row of snapshot.tables[table] ?? []) {
          const columns = Object.keys(row);
          const marks = columns.map(() => "?").join(",");
          this.run(`INSERT INTO ${table} (${columns.join(",")}) VALUES (${marks})`, ...Object.values(row));
        }
      }
    });
  }

  /** Tells whether it may still be used; timers of a closed platform ask. */
  get isOpen(): boolean {
    // The connection itself tells from Node 22.15 on (https://nodejs.org/docs/latest-v22.x/api/sqlite.html#databaseisopen).
    return !this.#isClosed;
  }

  close(): void {
    this.#statements.clear();
    this.#connection.close();
    this.#isClosed = true;
  }

  #prepare(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#connection.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  #tableNames(): string[] {
    return this.all("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'").map(
      (row) => String(row.name),
    );
  }
}

function open(location: string): DatabaseSync {
  // An import would be a link error on a Node without it, before anybody could say which Node is needed.
  const { DatabaseSync: OpenedDatabase } = process.getBuiltinModule("node:sqlite");
  try {
    return new OpenedDatabase(location);
  } catch (cause) {
    throw new Error(
      `The data file ${location} cannot be opened. Check that its folder exists and can be written.`,
      { cause },
    );
  }
}

/** Reads a text column. @throws TypeError when the column holds something else. */
export function textIn(row: Row, column: string): string {
  const value = row[column];
  if (typeof value !== "string") throw new TypeError(`Column ${column} holds no text.`);
  return value;
}

/** Reads a text column that may be NULL. */
export function optionalTextIn(row: Row, column: string): string | undefined {
  const value = row[column];
  return typeof value === "string" ? value : undefined;
}

/** Reads a number column. @throws TypeError when the column holds something else. */
export function integerIn(row: Row, column: string): number {
  const value = row[column];
  if (typeof value !== "number") throw new TypeError(`Column ${column} holds no number.`);
  return value;
}

/** Reads a number column that may be NULL. */
export function optionalIntegerIn(row: Row, column: string): number | undefined {
  const value = row[column];
  return typeof value === "number" ? value : undefined;
}

/** Reads a column of 0 or 1. */
export function flagIn(row: Row, column: string): boolean {
  return row[column] === 1;
}

/** Reads a column of JSON text that holds an object. @throws TypeError when it does not. */
export function jsonObjectIn(row: Row, column: string): JsonObject {
  const value: unknown = JSON.parse(textIn(row, column));
  if (!isJsonObject(value)) throw new TypeError(`Column ${column} holds no JSON object.`);
  return value;
}

/** Reads a column of JSON text that holds the entity `is` recognises. @throws TypeError when it does not. */
export function entityIn<T>(row: Row, column: string, is: Recognises<T>): T {
  const value: unknown = JSON.parse(textIn(row, column));
  if (!is(value)) throw new TypeError(`Column ${column} holds another entity.`);
  return value;
}
