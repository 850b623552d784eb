import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod/mini";
import { canonical, type Item, readItem } from "./attribute-value.ts";
import { tableSchema } from "./table-inputs.ts";
import type { TableJournal } from "./table-model.ts";
import type { TableDescription } from "./table-room.ts";

/** A table of an earlier run. */
export interface KeptTable {
  readonly region: string;
  readonly description: TableDescription;
  readonly items: readonly Item[];
}

/** Keeps tables and their items over restarts. */
export interface TableStore {
  load(): KeptTable[];
  putTable(table: Omit<KeptTable, "items">): void;
  removeTable(name: string): void;
  journalOf(name: string): TableJournal;
  close(): void;
}

/** Opens the store in a folder that only this user may read; it is made when absent. */
export function openTableStore(folder: string): TableStore {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, "tables.sqlite");
  // Asked for where it is used: whoever opens no file needs no Node that has it.
  const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
  const database = new DatabaseSync(file);
  chmodSync(file, 0o600);
  // A crash of this process loses nothing; one of the whole machine may lose the last moment.
  database.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = NORMAL;
    CREATE TABLE IF NOT EXISTS tables (name TEXT PRIMARY KEY, description TEXT NOT NULL) STRICT;
    CREATE TABLE IF NOT EXISTS items (
      tableName TEXT NOT NULL, itemKey TEXT NOT NULL, item TEXT NOT NULL, PRIMARY KEY (tableName, itemKey)
    ) STRICT, WITHOUT ROWID;
  `);
  const putTable = database.prepare("INSERT OR REPLACE INTO tables VALUES (?, ?)");
  const put = database.prepare("INSERT OR REPLACE INTO items VALUES (?, ?, ?)");
  const remove = database.prepare("DELETE FROM items WHERE tableName = ? AND itemKey = ?");

  return {
    load() {
      const rows = z
        .array(tableRowSchema)
        .parse(database.prepare("SELECT name, description FROM tables").all());
      return rows.map(({ name, description }) => {
        const items = database.prepare("SELECT item FROM items WHERE tableName = ?").all(name);
        return {
          ...descriptionSchema.parse(JSON.parse(description)),
          items: z
            .array(itemRowSchema)
            .parse(items)
            .map(({ item }) => readItem(JSON.parse(item))),
        };
      });
    },
    putTable({ region, description }) {
      putTable.run(description.TableName, JSON.stringify({ region, description }));
    },
    removeTable(name) {
      database.prepare("DELETE FROM items WHERE tableName = ?").run(name);
      database.prepare("DELETE FROM tables WHERE name = ?").run(name);
    },
    journalOf: (name) => ({
      put: (key, item) => put.run(name, canonical({ M: key }), JSON.stringify(item)),
      remove: (key) => remove.run(name, canonical({ M: key })),
    }),
    close: () => database.close(),
  };
}

const tableRowSchema = z.object({ name: z.string(), description: z.string() });
const itemRowSchema = z.object({ item: z.string() });
const descriptionSchema = z.object({ region: z.string(), description: tableSchema });
