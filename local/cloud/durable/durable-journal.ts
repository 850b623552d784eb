import { openPrivateDatabase, prepareChange } from "../collection-store.ts";
import { reviveDates } from "./execution-reports.ts";
import { type StoredExecution, storedExecutionSchema } from "./stored-execution.ts";

export type DurableJournal = ReturnType<typeof openDurableJournal>;

export function openDurableJournal(folder: string) {
  const database = openPrivateDatabase(
    folder,
    "executions.sqlite",
    "CREATE TABLE IF NOT EXISTS executions (arn TEXT PRIMARY KEY, execution TEXT NOT NULL) STRICT;",
  );
  const put = prepareChange(
    database,
    "INSERT INTO executions VALUES (?, ?) ON CONFLICT DO UPDATE SET execution = excluded.execution",
  );
  const remove = prepareChange(database, "DELETE FROM executions WHERE arn = ?");
  return {
    load: () =>
      database
        .prepare("SELECT execution FROM executions ORDER BY rowid")
        .all()
        .map(({ execution }) => storedExecutionSchema.parse(JSON.parse(String(execution), reviveDates))),
    put: (execution: StoredExecution) => put(execution.arn, JSON.stringify(execution)),
    remove: (arn: string) => remove(arn),
    close: () => database.close(),
  };
}
