import * as z from "zod/mini";
import type { DurableStore } from "./durable/durable-store.ts";
import { type StoredExecution, storedExecutionSchema } from "./durable/stored-execution.ts";
import { type StoredMessage, storedMessageSchema } from "./queue/queue-message.ts";
import type { QueueService } from "./queue/queue-service.ts";
import { type Secret, secretSchema } from "./secret-store.ts";
import type { SecretsEndpoint } from "./secrets-endpoint.ts";
import { type Item, readItem } from "./table/attribute-value.ts";
import type { TableService } from "./table/table-service.ts";

/** The whole state of the local cloud as plain values: queues and tables by their names. */
export interface CloudContents {
  readonly queues: Readonly<Record<string, readonly StoredMessage[]>>;
  readonly tables: Readonly<Record<string, readonly Item[]>>;
  readonly secrets: readonly Secret[];
  readonly executions: readonly StoredExecution[];
}

/** The stores of the state. */
export interface CloudStores {
  readonly queues: QueueService;
  readonly tables: TableService;
  readonly secrets: SecretsEndpoint;
  readonly durable: DurableStore;
}

/** Returns the current state. Messages in flight count as waiting. */
export function takeContents({ queues, tables, secrets, durable }: CloudStores): CloudContents {
  return {
    queues: Object.fromEntries(queues.list().map(({ name, queue }) => [name, queue.contents()])),
    tables: Object.fromEntries(tables.list().map(({ name, table }) => [name, table.all()])),
    secrets: secrets.contents(),
    executions: durable.contents(),
  };
}

/**
 * Replaces the state; queues and tables that the contents do not name become empty. Nothing may run meanwhile. May be
 * repeated.
 */
export function putContentsBack(
  { queues, tables, secrets, durable }: CloudStores,
  contents: CloudContents,
): void {
  for (const { name, queue } of queues.list()) queue.replace(contents.queues[name] ?? []);
  for (const { name, table } of tables.list()) table.replace(contents.tables[name] ?? []);
  secrets.putBack(contents.secrets);
  durable.putBack(contents.executions);
}

/** An empty state with the current secrets. */
export function emptyContents({ secrets }: Pick<CloudStores, "secrets">): CloudContents {
  return { queues: {}, tables: {}, secrets: secrets.contents(), executions: [] };
}

const listsSchema = z.record(z.string(), z.array(z.unknown()));
const contentsSchema = z.object({
  queues: listsSchema,
  tables: listsSchema,
  secrets: z.array(secretSchema),
  executions: z.array(storedExecutionSchema),
});

/** Parses stored contents. @throws Error if they do not match this version */
export function readContents(value: unknown): CloudContents {
  const { queues, tables, secrets, executions } = contentsSchema.parse(value);
  return {
    queues: mapLists(queues, (value) => storedMessageSchema.parse(value)),
    tables: mapLists(tables, readItem),
    secrets,
    executions,
  };
}

function mapLists<Value>(
  lists: Readonly<Record<string, readonly unknown[]>>,
  read: (value: unknown) => Value,
): Record<string, Value[]> {
  return Object.fromEntries(
    Object.entries(lists).map(([name, list]) => [name, list.map((value) => read(value))]),
  );
}
