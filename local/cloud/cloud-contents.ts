import * as z from "zod/mini";
import type { DurableStore } from "./durable/durable-store.ts";
import { storedExecutionSchema } from "./durable/stored-execution.ts";
import { storedMessageSchema } from "./queue/queue-message.ts";
import type { QueueService } from "./queue/queue-service.ts";
import { secretSchema } from "./secret-store.ts";
import type { SecretsEndpoint } from "./secrets-endpoint.ts";
import { readItem } from "./table/attribute-value.ts";
import type { TableService } from "./table/table-service.ts";

const itemSchema = z.pipe(z.unknown(), z.transform(readItem));
const contentsSchema = z.object({
  queues: z.record(z.string(), z.array(storedMessageSchema)),
  tables: z.record(z.string(), z.array(itemSchema)),
  secrets: z.array(secretSchema),
  executions: z.array(storedExecutionSchema),
});

/** The whole state of the local cloud as plain values: queues and tables by their names. */
export type CloudContents = z.infer<typeof contentsSchema>;

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
 * Replaces the state; queues and tables that the contents do not name become empty. Nothing may run
 * meanwhile. May be repeated.
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

/** Parses stored contents. @throws Error if they do not match this version */
export function readContents(value: unknown): CloudContents {
  return contentsSchema.parse(value);
}
