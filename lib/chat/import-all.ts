import { isRecord } from "../base/json.ts";
import { unlessAborted } from "../base/unless-aborted.ts";
import type { ItemResult } from "./answers.ts";
import { checkPlain, type PlainRules, plainFunction } from "./check-plain.ts";
import { isChatApiError, isChatUnreachableError, isInvalidInputError } from "./error-guards.ts";
import { InvalidInputError } from "./errors.ts";
import { readPlainly, typeNameOf } from "./read-plainly.ts";

/** docs/internals/platform/import-and-metrics.md#import-limits */
const maxPerRequest = 50;

/** Failed requests of one chunk in a row, after which no part is halved: it may be an outage. */
const maxFailures = 31;

/** The progress of an import. */
export interface ImportProgress {
  /** Including failed ones. */
  readonly done: number;
  readonly failed: number;
}

/** An entity that is not imported: the platform's result, or the error of its request. */
export interface FailedImport extends ItemResult {
  /** Among the entities, from 0. */
  readonly index: number;
  /** An error of `keyOf` or `send`; undefined if the platform refused the entity itself. */
  readonly cause?: unknown;
}

/** The result of an import. */
export interface ImportOutcome {
  readonly imported: number;
  /** By key; by `row <index>` without a key, or if the key failed before. */
  readonly failed: Readonly<Record<string, FailedImport>>;
}

/** What an import needs. */
export interface ImportOptions<Entity> {
  /** uid, guid, memberId or muid. */
  readonly keyOf: (entity: Entity) => string;
  /** Sends 1 to 50 entities. */
  readonly send: (
    chunk: Record<string, Entity>,
    options: { readonly signal: AbortSignal | undefined },
  ) => Promise<Record<string, ItemResult>>;
  /** Called after each 50 entities. */
  readonly onProgress?: ((progress: ImportProgress) => void) | undefined;
  /** Ends the import, which rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Imports any number of entities in sequential requests of 50, at most 60 a minute. What cannot be imported
 * is in `failed`, and the rest goes on. A message at which the platform ends the request (500) is found by
 * sending parts of it again; entities that are there by then count as imported.
 * @throws InvalidInputError if an argument is invalid (nothing is sent), or `send` returns an invalid value
 * (the import ends); the signal's reason if aborted; the errors of iterating over the entities
 * @example
 * const send = (users, { signal }) => chat.dataImport.users({ users }, { signal });
 * await importAll(users, { keyOf: ({ uid }) => uid, send, signal });
 */
export async function importAll<Entity>(
  entities: Iterable<Entity> | AsyncIterable<Entity>,
  options: ImportOptions<Entity>,
): Promise<ImportOutcome> {
  checkArguments(entities, options);
  // An id may be a name that every object has, such as "constructor".
  const failed = new Map<string, FailedImport>();
  const fail: Fail = (key, result) => {
    const isTaken = key === undefined || failed.has(key);
    failed.set(isTaken ? `row ${result.index}` : key, result);
  };
  let index = 0;
  let done = 0;
  let chunk = new Map<string, Row<Entity>>();

  async function flush(): Promise<void> {
    if (chunk.size === 0) return;
    await importChunk([...chunk.values()], options, fail);
    done += chunk.size;
    chunk = new Map();
    options.onProgress?.({ done, failed: failed.size });
  }

  for await (const entity of entities) {
    const key = keyOrError(entity, options.keyOf);
    if (typeof key === "string") {
      // A request holds each key once.
      if (chunk.has(key)) await flush();
      chunk.set(key, { index, key, entity });
      if (chunk.size === maxPerRequest) await flush();
    } else {
      fail(undefined, failedBy(index, key.cause));
      done += 1;
    }
    index += 1;
  }
  await flush();
  return { imported: done - failed.size, failed: Object.fromEntries(failed) };
}

interface Row<Entity> {
  readonly index: number;
  readonly key: string;
  readonly entity: Entity;
}

type Fail = (key: string | undefined, result: FailedImport) => void;

/**
 * A part that ends with 500 is halved, and the halves wait behind the other parts: what can be imported is
 * soon, whatever its place.
 */
async function importChunk<Entity>(
  chunk: readonly Row<Entity>[],
  options: ImportOptions<Entity>,
  fail: Fail,
): Promise<void> {
  const parts = [chunk];
  let mayBeThere = false;
  const repeated = new Set<readonly Row<Entity>[]>();
  let failures = 0;
  for (let part = parts.shift(); part !== undefined; part = parts.shift()) {
    const answer = await sendPart(part, options);
    if ("results" in answer) {
      failures = 0;
      for (const row of part) {
        const result = answer.results.get(row.key) ?? unmentioned;
        const isDone = result.success || (mayBeThere && isThere(result));
        if (!isDone) fail(row.key, { ...result, index: row.index });
      }
      continue;
    }
    const { cause } = answer;
    const isInvalid = isInvalidInputError(cause);
    const named = isInvalid ? rowNamed(cause.field, part) : undefined;
    if (named !== undefined) {
      fail(named.key, failedBy(named.index, cause));
      parts.unshift(part.filter((row) => row !== named));
      continue;
    }
    const isEnded = isChatApiError(cause) && cause.status === 500;
    const isUnclear = (isChatApiError(cause) || isChatUnreachableError(cause)) && cause.maybeExecuted;
    mayBeThere ||= isUnclear;
    if (isEnded) failures += 1;
    if ((isEnded || isInvalid) && part.length > 1 && failures < maxFailures) {
      const middle = Math.ceil(part.length / 2);
      parts.push(part.slice(0, middle), part.slice(middle));
    } else if (isUnclear && !repeated.has(part) && (part === chunk || !isEnded)) {
      repeated.add(part);
      parts.push(part);
    } else {
      for (const row of part) fail(row.key, failedBy(row.index, cause));
    }
  }
}

const unmentioned: ItemResult = { success: false, message: "The answer does not mention it." };

async function sendPart<Entity>(
  part: readonly Row<Entity>[],
  { send, signal }: ImportOptions<Entity>,
): Promise<{ readonly results: ReadonlyMap<string, ItemResult> } | { readonly cause: unknown }> {
  if (part.length === 0) return { results: new Map() };
  let results: Record<string, ItemResult>;
  try {
    const chunk = Object.fromEntries(part.map(({ key, entity }) => [key, entity]));
    results = await unlessAborted(signal, () => send(chunk, { signal }));
  } catch (cause) {
    signal?.throwIfAborted();
    return { cause };
  }
  checkGiven("send", isRecord, results, "the results by key, as dataImport.users does");
  return { results: new Map(Object.entries(results)) };
}

/** docs/internals/platform/import-and-metrics.md#import-errors */
function isThere({ error }: ItemResult): boolean {
  return /^ERR_(\w+_ALREADY_EXISTS|ALREADY_JOINED)$/.test(String(error?.code));
}

/** The longest, because a key may contain a point. */
function rowNamed<Entity>(field: string, part: readonly Row<Entity>[]): Row<Entity> | undefined {
  return part
    .filter(({ key }) => `${field}.`.includes(`.${key}.`))
    .toSorted((one, other) => other.key.length - one.key.length)[0];
}

function keyOrError<Entity>(entity: Entity, keyOf: (entity: Entity) => string): string | { cause: unknown } {
  try {
    const key: unknown = keyOf(entity);
    checkGiven("keyOf", isKey, key, "each entity's own id, a text");
    return String(key);
  } catch (cause) {
    return { cause };
  }
}

function failedBy(index: number, cause: unknown): FailedImport {
  const message = cause instanceof Error ? cause.message : typeNameOf(cause);
  return { success: false, message, index, cause };
}

/** A wrong result would count all entities as failed. */
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
  const rules: PlainRules = {
    ...{ keyOf: plainFunction, send: plainFunction, onProgress: plainFunction },
    signal: ["an AbortSignal", (value) => value instanceof AbortSignal],
  };
  checkPlain("importAll", "options", rules, options, ["keyOf", "send"]);
}
