import * as z from "zod/mini";
import { type CodeVersions, storedCodeSchema } from "./durable/code-versions.ts";
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
  /** Code of running executions. */
  code: z.array(storedCodeSchema),
});

export type CloudContents = z.infer<typeof contentsSchema>;

export interface CloudStores {
  readonly queues: QueueService;
  readonly tables: TableService;
  readonly secrets: SecretsEndpoint;
  readonly durable: DurableStore;
  readonly versions: CodeVersions;
}

/** Copies all state; messages in flight count as waiting. */
export function copyContents(stores: CloudStores): CloudContents {
  const { queues, tables, secrets, durable, versions } = stores;
  const executions = durable.contents();
  return {
    queues: Object.fromEntries(queues.list().map(({ name, queue }) => [name, queue.contents()])),
    tables: Object.fromEntries(tables.list().map(({ name, table }) => [name, table.all()])),
    secrets: secrets.contents(),
    executions,
    code: versions.contents(executions),
  };
}

/** Replaces all state; what has no contents becomes empty. Nothing may run meanwhile. */
export function restoreContents(
  { queues, tables, secrets, durable, versions }: CloudStores,
  contents: CloudContents,
): void {
  for (const { name, queue } of queues.list()) queue.replace(contents.queues[name] ?? []);
  for (const { name, table } of tables.list()) table.replace(contents.tables[name] ?? []);
  secrets.putBack(contents.secrets);
  versions.putBack(contents.code);
  durable.putBack(contents.executions);
}

export function emptyContents(of: { readonly secrets: Pick<SecretsEndpoint, "contents"> }): CloudContents {
  return { queues: {}, tables: {}, secrets: of.secrets.contents(), executions: [], code: [] };
}

/** @throws Error if they do not match this version */
export function readContents(value: unknown): CloudContents {
  return contentsSchema.parse(value);
}
