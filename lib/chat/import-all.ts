import { isRecord } from "../base/json.ts";
import type { ItemResult } from "./answers.ts";
import { plainFunction } from "./check-plain.ts";
import { checkClientOptions } from "./client-options.ts";
import { InvalidInputError } from "./errors.ts";
import { readPlainly, typeNameOf } from "./read-plainly.ts";

/** docs/internals/platform/import-and-metrics.md#import-limits */
const maxPerRequest = 50;

/** The progress of an import. */
export interface ImportProgress {
  /** Including failed ones. */
  readonly done: number;
  readonly failed: number;
}

/** The result of an import. */
export interface ImportOutcome {
  readonly imported: number;
  /** By key. */
  readonly failed: Readonly<Record<string, ItemResult>>;
}

/**
 * Imports any number of entities in sequential requests of 50, at most 60 a minute. Refused entities are in
 * `failed`.
 * @throws InvalidInputError if an argument is invalid (nothing is sent), or `keyOf` or `send` returns an
 * invalid value (the import ends)
 * @throws the errors of `send`; earlier requests are imported, so call again with the rest
 * @example
 * const send = (users) => chat.dataImport.users({ users });
 * await importAll(users, { keyOf: ({ uid }) => uid, send });
 */
export async function importAll<Entity>(
  entities: Iterable<Entity> | AsyncIterable<Entity>,
  options: {
    /** uid, guid, memberId or muid. */
    keyOf: (entity: Entity) => string;
    /** Sends 1 to 50 entities. */
    send: (chunk: Record<string, Entity>) => Promise<Record<string, ItemResult>>;
    /** Called after each request. */
    onProgress?: ((progress: ImportProgress) => void) | undefined;
  },
): Promise<ImportOutcome> {
  checkArguments(entities, options);
  // An id may be a name that every object has, such as "constructor".
  const failed = new Map<string, ItemResult>();
  let done = 0;
  let chunk = new Map<string, Entity>();

  async function flush(): Promise<void> {
    if (chunk.size === 0) return;
    const answer = await options.send(Object.fromEntries(chunk));
    checkGiven("send", isRecord, answer, "the results by key, as dataImport.users does");
    const results = new Map(Object.entries(answer));
    for (const key of chunk.keys()) {
      const result = results.get(key) ?? { success: false, message: "The answer does not mention it." };
      if (!result.success) failed.set(key, result);
    }
    done += chunk.size;
    chunk = new Map();
    options.onProgress?.({ done, failed: failed.size });
  }

  for await (const entity of entities) {
    const key = options.keyOf(entity);
    checkGiven("keyOf", isKey, key, "each entity's own id, a text");
    // A request holds each key once.
    if (chunk.has(key)) await flush();
    chunk.set(key, entity);
    if (chunk.size === maxPerRequest) await flush();
  }
  await flush();
  return { imported: done - failed.size, failed: Object.fromEntries(failed) };
}

/** A wrong result would count all entities as failed, or send them one by one. */
function checkGiven(name: string, isFine: (value: unknown) => boolean, given: unknown, what: string): void {
  if (isFine(given)) return;
  throw new InvalidInputError("importAll", name, `a function that gives ${what}, not ${typeNameOf(given)}`);
}

function isKey(value: unknown): boolean {
  return typeof value === "string" && value !== "";
}

function checkArguments(entities: unknown, options: unknown): void {
  const isList = readPlainly("importAll", "entities", () => {
    const list = Object(entities);
    return typeof entities !== "string" && (Symbol.iterator in list || Symbol.asyncIterator in list);
  });
  if (!isList) {
    throw new InvalidInputError("importAll", "entities", "a list, or what else for await goes over");
  }
  const rules = { keyOf: plainFunction, send: plainFunction, onProgress: plainFunction };
  checkClientOptions("importAll", options, rules, ["keyOf", "send"]);
}
