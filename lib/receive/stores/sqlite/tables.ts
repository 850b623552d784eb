import type { DatabaseSync } from "node:sqlite";

/** Increases with every change of the tables. */
export const storeVersion = 1;

/**
 * In the open transaction.
 * @throws Error if the file has other tables
 */
export function createTables(database: DatabaseSync): void {
  database.exec(tables);
  database.exec(`PRAGMA user_version = ${storeVersion}`);
}

const tables = `
-- What waits to be handled, in the order of its id, and what was set aside.
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

-- Each lane that something waits in, and who works at it.
CREATE TABLE lanes (
  lane TEXT PRIMARY KEY,
  owner TEXT,
  due_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX free_lanes ON lanes (due_at) WHERE owner IS NULL;

-- Which facts were received, and when first; the key is a digest.
CREATE TABLE facts (
  id INTEGER PRIMARY KEY,
  key BLOB NOT NULL,
  received_at INTEGER NOT NULL
) STRICT;
CREATE INDEX facts_by_key ON facts (key, received_at);

-- Who is alive: a beat that stands still is a process that ended.
CREATE TABLE consumers (owner TEXT PRIMARY KEY, beat INTEGER NOT NULL) STRICT, WITHOUT ROWID;
`;
