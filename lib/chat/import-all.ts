import type { ItemResult } from "./answers.ts";

/** Entities of one kind a request may hold (docs/platform/import-and-metrics.md#import-limits). */
const maxPerRequest = 50;

/** How far an import is. */
export interface ImportProgress {
  /** Entities answered so far, failed ones included. */
  readonly done: number;
  readonly failed: number;
}

/** What became of an import. */
export interface ImportOutcome {
  readonly imported: number;
  /** Results of the entities that failed, by their key. */
  readonly failed: Readonly<Record<string, ItemResult>>;
}

/**
 * Imports any number of entities in requests of 50, one after the other; the client keeps the pace of 60 a minute.
 * Entities the platform refuses do not end it, they are in `failed`.
 * @throws what `send` throws; entities of earlier requests are imported by then, so call again with the rest
 * @example await importAll(users, { keyOf: (user) => user.uid, send: (users) => chat.dataImport.users({ users }) })
 */
export async function importAll<Entity>(
  entities: Iterable<Entity> | AsyncIterable<Entity>,
  options: {
    /** The entity's own id: uid, guid, memberId or muid. */
    keyOf: (entity: Entity) => string;
    /** Sends 1 to 50 entities. */
    send: (chunk: Record<string, Entity>) => Promise<Record<string, ItemResult>>;
    /** Hears after each request. */
    onProgress?: ((progress: ImportProgress) => void) | undefined;
  },
): Promise<ImportOutcome> {
  const failed: Record<string, ItemResult> = {};
  let done = 0;
  let chunk: Record<string, Entity> = {};

  async function flush(): Promise<void> {
    const keys = Object.keys(chunk);
    if (keys.length === 0) return;
    const results = await options.send(chunk);
    for (const key of keys) {
      const result = results[key] ?? { success: false, message: "The answer does not mention it." };
      if (!result.success) failed[key] = result;
    }
    done += keys.length;
    chunk = {};
    options.onProgress?.({ done, failed: Object.keys(failed).length });
  }

  for await (const entity of entities) {
    const key = options.keyOf(entity);
    // The same key again waits for the next request: a map holds it once.
    if (Object.hasOwn(chunk, key)) await flush();
    chunk[key] = entity;
    if (Object.keys(chunk).length === maxPerRequest) await flush();
  }
  await flush();
  return { imported: done - Object.keys(failed).length, failed };
}
