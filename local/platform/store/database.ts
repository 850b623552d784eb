import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from "node:sqlite";
import { schema } from "./schema.ts";
import { statistics } from "./statistics.ts";

/** Holds one row as SQLite gives it; read it with the functions of `row.ts`. */
export type Row = Record<string, SQLOutputValue>;

/** Holds all rows of all tables, as plain values. */
export type Snapshot = { tables: Record<string, Row[]> };

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
