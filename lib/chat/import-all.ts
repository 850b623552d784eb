import { isRecord } from "../base/json.ts";
import { isError } from "../base/realm.ts";
import { unlessAborted } from "../base/unless-aborted.ts";
import type { ItemResult } from "./answers.ts";
import { checkArguments, checkGiven, isKey } from "./check-import.ts";
import { typeNameOf } from "./check-plain.ts";
import { isChatApiError, isChatUnreachableError, isInvalidInputError } from "./error-guards.ts";
import { refusesCredentials } from "./is-code.ts";

/** @see docs/internals/platform/import-and-metrics.md#import-limits */
const maxPerRequest = 50;

/** After this many in a row ended with 500, the platform may be down. */
const mostEnded = 100;

/** The last of these is about other entities than the first two. */
const mostUnanswered = 3;

/** The progress of an import. */
export interface ImportProgress {
  /** Includes failed ones. */
  readonly done: number;
  readonly failed: number;
}

/** An entity that was not imported: the platform's result, or the error of its request. */
export interface FailedImport extends ItemResult {
  /**
   * The platform's code, or the error's: INVALID_INPUT of the client, CHAT_UNREACHABLE. REPEATED_KEY,
   * NOT_SENT, NOT_MENTIONED and REFUSED are the import's own.
   */
  readonly code: string;
  readonly message: string;
  /** Position among the entities, from 0. */
  readonly index: number;
  /** An error of `keyOf` or `send`; undefined if the platform refused the entity itself. */
  readonly cause?: unknown;
}

/** The result of an import. */
export interface ImportOutcome {
  readonly imported: number;
  /** Keyed by key; by `row <index>` without one, or if an earlier entity has it. A taken name gets a `*`. */
  readonly failed: Readonly<Record<string, FailedImport>>;
  /** Keys that exist after a request without a clear answer: imported, or there before. */
  readonly unconfirmed: readonly string[];
}

/** The functions that an import calls. */
export interface ImportOptions<Entity> {
  /** Returns uid, guid, memberId or muid. */
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
 * Imports any number of entities in sequential requests of 50, at most 60 a minute. If the platform ends a
 * request with 500, sends parts of it again to find the entity; the others count as imported if they exist by
 * then. After 100 such entities in a row, sends one of the next 50 first; if it also ends so, the others are
 * not sent. Sends nothing after a refused key, or three requests in a row without an answer. Of several
 * entities with one key, sends the first; keys of digits alone go first within a request.
 * @throws InvalidInputError if an argument is invalid (nothing is sent); the signal's reason if aborted; the
 * errors of iterating over the entities
 * @example
 * const send = (users, { signal }) => chat.dataImport.users({ users }, { signal });
 * await importAll(users, { keyOf: ({ uid }) => uid, send, signal });
 */
export async function importAll<Entity>(
  entities: Iterable<Entity> | AsyncIterable<Entity>,
  options: ImportOptions<Entity>,
): Promise<ImportOutcome> {
  checkArguments(entities, options);
  // An id may be the name of a property of every object, such as "constructor".
  const failed = new Map<string, FailedImport>();
  const unconfirmed: string[] = [];
  const seen = new Set<string>();
  const report: Report = {
    fail: ({ index, key }, result) => {
      let name = key === undefined || failed.has(key) ? `row ${index}` : key;
      while (failed.has(name)) name += "*";
      failed.set(name, { ...result, ...wordsOf(result), index });
    },
    presume: ({ key }) => unconfirmed.push(key),
    endedInARow: 0,
    unansweredInARow: 0,
    stopped: undefined,
  };
  let index = 0;
  let done = 0;
  let chunk: Row<Entity>[] = [];

  async function flush() {
    if (chunk.length === 0) return;
    done += chunk.length;
    // Sends the last: it may be good if the earlier ones are too old.
    if (report.endedInARow >= mostEnded) await importChunk(chunk.splice(-1), options, report);
    if (report.endedInARow < mostEnded) await importChunk(chunk, options, report);
    else for (const row of chunk) report.fail(row, manyEnded);
    chunk = [];
    options.onProgress?.({ done, failed: failed.size });
  }

  for await (const entity of entities) {
    const key = keyOrError(entity, options.keyOf);
    if (typeof key === "string" && !seen.has(key)) {
      seen.add(key);
      chunk.push({ index, key, entity });
      if (chunk.length === maxPerRequest) await flush();
    } else {
      report.fail({ index, key: undefined }, typeof key === "string" ? repeatedKey : failedBy(key.cause));
      done += 1;
    }
    index += 1;
  }
  await flush();
  return { imported: done - failed.size, failed: Object.fromEntries(failed), unconfirmed };
}

interface Row<Entity> {
  readonly index: number;
  readonly key: string;
  readonly entity: Entity;
}

interface Report {
  readonly fail: (row: { index: number; key: string | undefined }, result: ItemResult) => void;
  readonly presume: (row: { key: string }) => void;
  endedInARow: number;
  unansweredInARow: number;
  stopped: ItemResult | undefined;
}

const notSent = (why: string) => ({ success: false, code: "NOT_SENT", message: `Not sent: ${why}.` });
const manyEnded = notSent(`the platform ended with 500 at each of the ${mostEnded} entities before it`);
const manyUnanswered = notSent(`the ${mostUnanswered} requests before it got no answer`);
const keyRefused = notSent("the platform refused the key");
const repeatedKey = { success: false, code: "REPEATED_KEY", message: "An earlier entity has the same key." };

/**
 * Halves a part that ends with 500 until its row is alone. The next part is as long as the number of good
 * rows before it, which needs few requests whether bad rows are rare or many.
 */
async function importChunk<Entity>(
  chunk: readonly Row<Entity>[],
  options: ImportOptions<Entity>,
  report: Report,
) {
  const { fail } = report;
  let rest = chunk;
  let size = chunk.length;
  /** The number of next rows that include a bad one. */
  let suspects = 0;
  let goodInARow = 0;
  /** Rows of requests without a clear answer, and why. */
  const maybeThere = new Map<Row<Entity>, unknown>();
  let isRepeated = false;

  while (rest.length > 0 && report.stopped === undefined) {
    const part = rest.slice(0, size);
    const answer = await sendPart(part, options);
    if ("results" in answer) {
      reportResults(part, answer.results, maybeThere, report);
      rest = rest.slice(part.length);
      goodInARow += part.length;
      suspects = Math.max(0, suspects - part.length);
      size = suspects > 0 ? Math.ceil(suspects / 2) : 2 * part.length;
      isRepeated = false;
      continue;
    }
    const { cause } = answer;
    const isInvalid = isInvalidInputError(cause);
    const named = isInvalid ? rowNamed(cause.field, part) : undefined;
    if (named !== undefined) {
      fail(named, failedBy(cause));
      rest = rest.filter((row) => row !== named);
      continue;
    }
    stopAfter(cause, report);
    const isEnded = isChatApiError(cause) && cause.status === 500;
    const isUnclear = (isChatApiError(cause) || isChatUnreachableError(cause)) && cause.maybeExecuted;
    const isNew = part.every((row) => !maybeThere.has(row));
    if (isUnclear) for (const row of part) maybeThere.set(row, cause);
    if ((isEnded || isInvalid) && part.length > 1) {
      suspects = part.length;
      size = Math.ceil(suspects / 2);
    } else if (isUnclear && !report.stopped && !isRepeated && (isNew || !isEnded)) {
      isRepeated = true;
    } else {
      for (const row of part) fail(row, failedBy(cause));
      if (isEnded) report.endedInARow += 1;
      rest = rest.slice(part.length);
      size = goodInARow + 1;
      [suspects, goodInARow, isRepeated] = [0, 0, false];
    }
  }
  if (report.stopped === undefined) return;
  for (const row of rest) fail(row, maybeThere.has(row) ? failedBy(maybeThere.get(row)) : report.stopped);
}

function reportResults<Entity>(
  part: readonly Row<Entity>[],
  results: ReadonlyMap<string, ItemResult>,
  maybeThere: ReadonlyMap<Row<Entity>, unknown>,
  report: Report,
) {
  report.endedInARow = 0;
  report.unansweredInARow = 0;
  for (const row of part) {
    // The platform lowers ids (docs/internals/platform/ids-and-limits.md#chosen-ids).
    const result = results.get(row.key) ?? results.get(row.key.toLowerCase()) ?? unmentioned;
    if (maybeThere.has(row) && isThere(result)) report.presume(row);
    else if (!result.success) report.fail(row, result);
  }
}

function stopAfter(cause: unknown, report: Report) {
  const isAnswered = !isChatUnreachableError(cause) || cause.phase === "body";
  report.unansweredInARow = isAnswered ? 0 : report.unansweredInARow + 1;
  if (refusesCredentials(cause)) report.stopped = keyRefused;
  else if (report.unansweredInARow === mostUnanswered) report.stopped = manyUnanswered;
}

const unmentioned = { success: false, code: "NOT_MENTIONED", message: "The answer does not mention it." };

function wordsOf({ code, message, error, cause }: ItemResult): Pick<FailedImport, "code" | "message"> {
  const textOf = (...values: readonly unknown[]) =>
    values.find((value) => typeof value === "string" && value !== "");
  const ofCause = isError(cause) ? ("code" in cause && cause.code) || cause.name : undefined;
  return {
    code: String(textOf(code, error?.code, ofCause) ?? "REFUSED"),
    message: String(textOf(message, error?.message) ?? "The platform refused it."),
  };
}

async function sendPart<Entity>(
  part: readonly Row<Entity>[],
  { send, signal }: ImportOptions<Entity>,
): Promise<{ readonly results: ReadonlyMap<string, ItemResult> } | { readonly cause: unknown }> {
  let results: Record<string, ItemResult>;
  try {
    const chunk = Object.fromEntries(part.map(({ key, entity }) => [key, entity]));
    results = await unlessAborted(signal, () => send(chunk, { signal }));
  } catch (cause) {
    signal?.throwIfAborted();
    return { cause };
  }
  try {
    checkGiven("send", isRecord, results, "the results by key, as dataImport.users does");
    return { results: new Map(Object.entries(results)) };
  } catch (cause) {
    // Otherwise the part would be sent again.
    return { results: new Map(part.map(({ key }) => [key, failedBy(cause)])) };
  }
}

/** @see docs/internals/platform/import-and-metrics.md#import-errors */
function isThere({ error }: ItemResult) {
  return /^ERR_(\w+_ALREADY_EXISTS|ALREADY_(JOINED|BANNED))$/.test(String(error?.code));
}

/**
 * Finds a row by the record's name, as in "users.alice.name". Prefers the longest: a key may contain a point.
 */
function rowNamed<Entity>(field: string, part: readonly Row<Entity>[]): Row<Entity> | undefined {
  const path = field.slice(field.indexOf(".") + 1);
  return part
    .filter(({ key }) => `${path}.`.startsWith(`${key}.`))
    .toSorted((one, other) => other.key.length - one.key.length)[0];
}

function keyOrError<Entity>(entity: Entity, keyOf: (entity: Entity) => string): string | { cause: unknown } {
  try {
    const key: unknown = keyOf(entity);
    checkGiven("keyOf", isKey, key, "each entity's own id, a text but __proto__");
    return String(key);
  } catch (cause) {
    return { cause };
  }
}

function failedBy(cause: unknown): ItemResult {
  const text = typeof cause === "string" ? cause : typeNameOf(cause);
  return { success: false, message: isError(cause) ? cause.message : text, cause };
}
