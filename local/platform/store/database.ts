import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from "node:sqlite";
import { checkDatabase, toDataFault, withDataFaults } from "../../files/data-fault.ts";
import type { JsonObject } from "../json.ts";
import { schema, statistics } from "./schema.ts";

type Row = Record<string, SQLOutputValue>;

type SqlQuery = [sql: string, ...values: SQLInputValue[]];

export type Snapshot = { tables: Record<string, Row[]> };

export type AppData = { db: Database; appId: string };

export class Database {
  readonly #connection: DatabaseSync;
  readonly #file: string;
  #isClosed = false;
  readonly #statements = new Map<string, StatementSync>();
  #depth = 0;

  /** Opens a database in memory without a file. @throws DataFault */
  constructor(dataFile: string | undefined) {
    this.#file = dataFile ?? "";
    this.#connection = withDataFaults(this.#file, () => {
      const connection = open(dataFile ?? ":memory:");
      connection.exec(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON; PRAGMA temp_store = MEMORY;",
      );
      connection.exec(schema);
      connection.exec(statistics);
      checkDatabase(connection);
      return connection;
    });
  }

  get(...[sql, ...values]: SqlQuery): Row | undefined {
    return this.#prepare(sql).get(...values);
  }

  all(...[sql, ...values]: SqlQuery): Row[] {
    return this.#prepare(sql).all(...values);
  }

  row<T>(...query: SqlQuery): T | undefined {
    return this.rows<T>(...query)[0];
  }

  rows<T>(...query: SqlQuery): T[];
  rows(...query: SqlQuery): unknown[] {
    return this.all(...query).map(toObject);
  }

  /** Returns undefined for NULL. */
  value<T extends number | string>(...query: SqlQuery): T | undefined {
    return this.values<T>(...query)[0] ?? undefined;
  }

  values<T extends number | string>(...query: SqlQuery): T[];
  values(...query: SqlQuery): unknown[] {
    return this.all(...query).map((row) => Object.values(row)[0]);
  }

  count(...query: SqlQuery): number {
    return this.value<number>(...query) ?? 0;
  }

  entity<T>(...query: SqlQuery): T | undefined {
    return this.entities<T>(...query)[0];
  }

  entities<T>(...query: SqlQuery): T[];
  entities(...query: SqlQuery): unknown[] {
    return this.values<string>(...query).map((body) => JSON.parse(body));
  }

  has(...query: SqlQuery): boolean {
    return this.get(...query) !== undefined;
  }

  run(...[sql, ...values]: SqlQuery): number {
    return withDataFaults(this.#file, () => Number(this.#prepare(sql).run(...values).changes));
  }

  /** Stores fields as columns (`created_at`), objects as JSON. "IGNORE" keeps a row of the same key. */
  put(table: string, object: object, onConflict: "REPLACE" | "IGNORE" = "REPLACE"): void {
    const columns = Object.keys(object).map(toColumn);
    const marks = columns.map(() => "?").join();
    this.run(
      `INSERT OR ${onConflict} INTO ${table} (${columns.join()}) VALUES (${marks})`,
      ...Object.values(object).map(toColumnValue),
    );
  }

  /** May be nested; the outermost commits. Must not await. */
  transaction<T>(work: () => T): T {
    const isInner = this.#depth > 0;
    this.#depth += 1;
    this.#connection.exec(isInner ? "SAVEPOINT part" : "BEGIN IMMEDIATE");
    try {
      const result = work();
      this.#connection.exec(isInner ? "RELEASE part" : "COMMIT");
      return result;
    } catch (error) {
      try {
        this.#connection.exec(isInner ? "ROLLBACK TO part; RELEASE part" : "ROLLBACK");
      } catch {
        // SQLite rolls back itself if the disk is full.
      }
      throw toDataFault(error, this.#file) ?? error;
    } finally {
      this.#depth -= 1;
    }
  }

  snapshot(): Snapshot {
    return {
      tables: Object.fromEntries(
        this.#tableNames().map((table) => [table, this.all(`SELECT * FROM ${table}`)]),
      ),
    };
  }

  shape(): string {
    const columnsOf = (table: string) =>
      this.values<string>("SELECT name FROM pragma_table_info(?) ORDER BY name", table);
    return JSON.stringify(
      this.#tableNames()
        .toSorted()
        .map((table) => [table, ...columnsOf(table)]),
    );
  }

  restore(snapshot: Snapshot): void {
    this.transaction(() => {
      for (const table of this.#tableNames()) {
        this.#connection.exec(`DELETE FROM ${table}`);
        for (const row of snapshot.tables[table] ?? []) {
          this.put(table, row);
        }
      }
    });
  }

  get isOpen(): boolean {
    // `isOpen` exists since Node 22.15.
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
    return this.values("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'");
  }
}

function open(location: string) {
  // On an older Node, an import would fail without a message.
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

export function toColumn(field: string): string {
  return field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function toField(column: string) {
  return column.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function toColumnValue(value: unknown) {
  if (typeof value === "string" || typeof value === "number") return value;
  if (typeof value === "boolean") return value ? 1 : 0;
  return value === undefined || value === null ? null : JSON.stringify(value);
}

// A NULL column makes no field.
function toObject(row: Row) {
  return Object.fromEntries(
    Object.entries(row)
      .filter(([, value]) => value !== null)
      .map(([column, value]) => [toField(column), readers[column]?.(value) ?? value]),
  );
}

const isOne = (value: unknown) => value === 1;
const parse = (value: unknown): unknown => JSON.parse(String(value));
const readers: Record<string, ((value: unknown) => unknown) | undefined> = {
  use_basic_auth: isOne,
  enabled: isOne,
  retry_on_failure: isOne,
  is_hidden: isOne,
  tags: parse,
  target: parse,
};

export function getDocument<T = JsonObject>(data: AppData, kind: string, id: string): T | undefined {
  return findBody(data, "documents", { kind, id });
}

export function listDocuments<T = JsonObject>({ db, appId }: AppData, kind: string): T[] {
  return db.entities("SELECT body FROM documents WHERE app_id = ? AND kind = ? ORDER BY seq", appId, kind);
}

export function countDocuments(data: AppData, kind: string): number {
  return countRows(data, "documents", { kind });
}

/** Keeps the place of an existing document in the list. */
export function putDocument({ db, appId }: AppData, kind: string, id: string, body: JsonObject): void {
  db.run(
    `INSERT INTO documents (app_id, kind, id, seq, body) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (app_id, kind, id) DO UPDATE SET body = excluded.body`,
    appId,
    kind,
    id,
    nextNumber({ db, appId }, `document:${kind}`),
    JSON.stringify(body),
  );
}

export function deleteDocument(data: AppData, kind: string, id: string): boolean {
  return deleteRows(data, "documents", { kind, id }) > 0;
}

/** Counts from 1 and never repeats a number. */
export function nextNumber({ db, appId }: AppData, name: string): number {
  return db.count(
    `INSERT INTO counters (app_id, name, value) VALUES (?, ?, 1)
     ON CONFLICT (app_id, name) DO UPDATE SET value = value + 1 RETURNING value`,
    appId,
    name,
  );
}

/** Never gives numbers up to `value` again. */
export function skipNumbers({ db, appId }: AppData, name: string, value: number): void {
  db.run(
    `INSERT INTO counters (app_id, name, value) VALUES (?, ?, ?)
     ON CONFLICT (app_id, name) DO UPDATE SET value = max(value, excluded.value)`,
    appId,
    name,
    value,
  );
}

type Key = Readonly<Record<string, string | number>>;

export function countRows({ db, appId }: AppData, table: string, key: Key = {}): number {
  return db.count(`SELECT count(*) FROM ${matching(table, key)}`, appId, ...Object.values(key));
}

export function hasRow(data: AppData, table: string, key: Key): boolean {
  return countRows(data, table, key) > 0;
}

export function findRow<T>({ db, appId }: AppData, table: string, key: Key): T | undefined {
  return db.row(`SELECT * FROM ${matching(table, key)}`, appId, ...Object.values(key));
}

export function findBody<T>({ db, appId }: AppData, table: string, key: Key): T | undefined {
  return db.entity(`SELECT body FROM ${matching(table, key)}`, appId, ...Object.values(key));
}

export function putRow({ db, appId }: AppData, table: string, row: object, onConflict?: "IGNORE"): void {
  db.put(table, { appId, ...row }, onConflict);
}

export function deleteRows({ db, appId }: AppData, table: string, key: Key): number {
  return db.run(`DELETE FROM ${matching(table, key)}`, appId, ...Object.values(key));
}

function matching(table: string, key: Key) {
  const conditions = ["app_id", ...Object.keys(key).map(toColumn)].map((column) => `${column} = ?`);
  return `${table} WHERE ${conditions.join(" AND ")}`;
}
