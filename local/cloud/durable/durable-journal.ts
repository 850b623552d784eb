import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod/mini";
import type { DurableJournal } from "./durable-types.ts";
import { reviveDates } from "./execution-reports.ts";
import { storedExecutionSchema } from "./stored-execution.ts";

/** Opens the executions of a folder that only this user may read; it is made when absent. */
export function openDurableJournal(folder: string): DurableJournal {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, "executions.sqlite");
  // Asked for where it is used: whoever opens no file needs no Node that has it.
  const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
  const database = new DatabaseSync(file);
  chmodSync(file, 0o600);
  // A crash of this process loses nothing; one of the whole machine may lose the last moment.
  database.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = NORMAL;
    CREATE TABLE IF NOT EXISTS executions (arn TEXT PRIMARY KEY, execution TEXT NOT NULL) STRICT;
  `);
  const put = database.prepare(
    "INSERT INTO executions VALUES (?, ?) ON CONFLICT DO UPDATE SET execution = excluded.execution",
  );
  const remove = database.prepare("DELETE FROM executions WHERE arn = ?");
  return {
    load() {
      const rows = database.prepare("SELECT execution FROM executions ORDER BY rowid").all();
      return z
        .array(rowSchema)
        .parse(rows)
        .map(({ execution }) => storedExecutionSchema.parse(JSON.parse(execution, reviveDates)));
    },
    put: (execution) => put.run(execution.arn, JSON.stringify(execution)),
    remove: (arn) => remove.run(arn),
    close: () => database.close(),
  };
}

const rowSchema = z.object({ execution: z.string() });
