import type { DatabaseSync } from "node:sqlite";
import { checkNode } from "../../../../base/check-node.ts";
import { OwnError } from "../../../../base/errors.ts";
import { isRecord } from "../../../../base/json.ts";

/** Thrown if a store's file cannot be used; `cause` is SQLite's error. */
export class StoreFileError extends OwnError {
  override readonly name = "StoreFileError";
}

/**
 * Opens a store's file; creates it if needed, readable only by its owner.
 * @param durable transactions survive a power loss
 * @throws StoreFileError if the file cannot be written or is not this version's store, Error if this Node has
 * no SQLite
 * @see https://sqlite.org/pragma.html#pragma_synchronous
 */
export function openStoreFile(file: string, durable: boolean): DatabaseSync {
  checkNode("createSqliteStore");
  const sqlite = process.getBuiltinModule("node:sqlite");
  if (file === "" || file.startsWith(":") || file.startsWith("file:")) {
    throw new StoreFileError(`A store needs the path of a file on disk, not "${file}".`);
  }
  try {
    makePrivately(file);
    const database = new sqlite.DatabaseSync(file);
    try {
      prepare(database, file, durable);
    } catch (error) {
      database.close();
      throw error;
    }
    return database;
  } catch (error) {
    if (error instanceof StoreFileError) throw error;
    throw new StoreFileError(`The store's file ${file} cannot be opened for writing.`, { cause: error });
  }
}

/**
 * Opens no existing file: closing it would release this process's locks, and another process could delete the
 * log.
 * @see https://sqlite.org/howtocorrupt.html#_posix_advisory_locks_canceled_by_a_separate_thread_doing_close_
 */
function makePrivately(file: string): void {
  const { openSync, closeSync, existsSync } = process.getBuiltinModule("node:fs");
  try {
    closeSync(openSync(file, "wx", 0o600));
  } catch (error) {
    if (!existsSync(file)) throw error;
  }
}

export type StorePlace = ReturnType<typeof createStorePlace>;

/** @see https://sqlite.org/howtocorrupt.html#_unlinking_or_renaming_a_database_file_while_in_use */
export function createStorePlace(database: DatabaseSync, file: string) {
  const { statSync } = process.getBuiltinModule("node:fs");
  const log = `${file}-wal`;
  const look = (name: string) => statSync(name, { bigint: true, throwIfNoEntry: false })?.ino;
  const files = [file, log, `${file}-shm`].map((name) => ({ name, ino: look(name) }));
  return {
    /** @throws StoreFileError if a file was removed or replaced */
    check: (): void => {
      const lost = files.find(({ name, ino }) => look(name) !== ino);
      if (lost === undefined) return;
      throw new StoreFileError(
        `The store's file ${lost.name} was removed or replaced while it was open. Open the store again.`,
      );
    },
    /**
     * A removed log's content would end with this process. A replaced log belongs to a process that writes to
     * the file itself. Never throws.
     */
    saveLog: (): void => {
      if (look(log) !== undefined) return;
      try {
        database.exec("PRAGMA wal_checkpoint(FULL)");
      } catch {
        // The next delivery tries again.
      }
    },
  };
}

/** Lock wait while opening: no request waits yet. */
const openingMs = 5_000;
/** Lock wait afterwards, short because it blocks the process: `transact` repeats. */
const workingMs = 20;

function prepare(database: DatabaseSync, file: string, durable: boolean): void {
  database.exec(`PRAGMA busy_timeout = ${openingMs}`);
  checkOwner(database, file);
  // Allows readers beside a writer; a commit is one append.
  const mode = database.prepare("PRAGMA journal_mode = WAL").get();
  if (!isRecord(mode) || mode.journal_mode !== "wal") {
    throw new StoreFileError(
      `The store's file ${file} is on a file system where SQLite cannot share it. Use a local disk.`,
    );
  }
  database.exec(`PRAGMA synchronous = ${durable ? "FULL" : "NORMAL"}`);
  database.exec("BEGIN IMMEDIATE");
  const version = database.prepare("PRAGMA user_version").get()?.user_version;
  if (version === 0) createTables(database);
  else if (version !== storeVersion) {
    throw new StoreFileError(
      `The store's file ${file} has version ${version}; this release needs version ${storeVersion}.`,
    );
  } else if (database.prepare(findLastTry).get() === undefined) {
    database.exec(addLastTry);
    database.exec(dueLanes);
  }
  database.exec("COMMIT");
  database.exec(`PRAGMA busy_timeout = ${workingMs}`);
}

/** Refuses other applications' databases. @throws StoreFileError */
function checkOwner(database: DatabaseSync, file: string): void {
  const { found, own } =
    database
      .prepare(
        "SELECT count(*) AS found, count(*) FILTER (WHERE name = 'free_lanes') AS own FROM sqlite_schema",
      )
      .get() ?? {};
  if (found !== 0 && own === 0) throw new StoreFileError(`The file ${file} is a database, but not a store.`);
}

/** Increases with changes that earlier releases cannot use. */
const storeVersion = 1;

const findLastTry = "SELECT 1 FROM pragma_table_info('lanes') WHERE name = 'last_try'";
const dueLanes = "CREATE INDEX due_lanes ON lanes (last_try, due_at) WHERE owner IS NULL";
const addLastTry = "ALTER TABLE lanes ADD COLUMN last_try INTEGER NOT NULL DEFAULT 0";

/** @throws Error if the file has other tables */
export function createTables(database: DatabaseSync): void {
  database.exec(tables);
  database.exec(dueLanes);
  database.exec(`PRAGMA user_version = ${storeVersion}`);
}

const tables = `
-- Deliveries that wait, in the order of their ids, and dead-lettered or unreadable ones.
CREATE TABLE deliveries (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  app_id TEXT NOT NULL,
  received_at INTEGER NOT NULL,
  raw BLOB NOT NULL,
  trigger TEXT,
  key TEXT,
  can_recur INTEGER NOT NULL DEFAULT 0,
  fact TEXT,
  lane TEXT,
  tries INTEGER NOT NULL DEFAULT 0,
  set_aside TEXT,
  set_aside_at INTEGER,
  cause TEXT
) STRICT;
CREATE INDEX waiting ON deliveries (lane, id) WHERE set_aside IS NULL;
CREATE INDEX aside ON deliveries (id) WHERE set_aside IS NOT NULL;

-- Lanes with waiting deliveries, and the consumer that works on each.
CREATE TABLE lanes (
  lane TEXT PRIMARY KEY,
  owner TEXT,
  due_at INTEGER NOT NULL,
  last_try INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
-- Earlier releases claim by this one.
CREATE INDEX free_lanes ON lanes (due_at) WHERE owner IS NULL;

-- Occurrences by the digest of their key, with the first receipt.
CREATE TABLE facts (
  id INTEGER PRIMARY KEY,
  key BLOB NOT NULL,
  received_at INTEGER NOT NULL
) STRICT;
CREATE INDEX facts_by_key ON facts (key, received_at);

-- Running consumers: one whose beat does not change has ended.
CREATE TABLE consumers (owner TEXT PRIMARY KEY, beat INTEGER NOT NULL) STRICT, WITHOUT ROWID;
`;
