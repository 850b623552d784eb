import type { JsonValue } from "../../base/json-value.ts";

/**
 * Thrown if a decision is not a valid answer; the sender then gets the configured answer for undecided
 * messages.
 */
export class InvalidAnswerError extends Error {
  override readonly name: string = "InvalidAnswerError";
}

/**
 * Reads the fields of a plain object without running code of it: nothing inherited, no getters. An undefined
 * field counts as absent.
 * @throws InvalidAnswerError for anything else, and for fields that are not among the names
 */
export function readPlainFields(value: unknown, names: readonly string[]): ReadonlyMap<string, unknown> {
  const fields = plainFieldsOf(value);
  for (const name of fields.keys()) {
    if (!names.includes(name)) throw new InvalidAnswerError("An answer has a field that none has.");
  }
  return fields;
}

/** More levels than an annotation needs. */
const maxDepth = 20;
/** An annotation has at most 8,000 bytes: with more parts, copying stops. */
const maxParts = 8_000;

/**
 * Copies a value that JSON represents exactly: texts, finite numbers, true, false, null, and plain arrays and
 * objects of these. Omits undefined fields.
 * @throws InvalidAnswerError for anything else: functions, dates, getters, cycles, non-finite numbers
 */
export function copyJson(value: unknown): JsonValue {
  let parts = 0;
  const copy = (part: unknown, depth: number): JsonValue => {
    parts += 1;
    if (depth > maxDepth || parts > maxParts)
      throw new InvalidAnswerError("A note is too deep or too large.");
    if (part === null || typeof part === "string" || typeof part === "boolean") return part;
    if (typeof part === "number" && Number.isFinite(part)) return part;
    if (Array.isArray(part)) return itemsOf(part).map((item) => copy(item, depth + 1));
    const entries = [...plainFieldsOf(part)].map(([name, field]) => [name, copy(field, depth + 1)] as const);
    return Object.fromEntries(entries);
  };
  return copy(value, 0);
}

function plainFieldsOf(value: unknown): ReadonlyMap<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw notPlain();
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && prototype !== Object.prototype) throw notPlain();
  const names = Reflect.ownKeys(value);
  if (names.length > maxParts) throw notPlain();
  const fields = new Map<string, unknown>();
  for (const name of names) {
    const field = Object.getOwnPropertyDescriptor(value, name);
    if (typeof name === "symbol" || field === undefined || !("value" in field)) throw notPlain();
    if (field.value !== undefined) fields.set(name, field.value);
  }
  return fields;
}

function itemsOf(list: readonly unknown[]): readonly unknown[] {
  const { length } = list;
  if (length > maxParts || Reflect.ownKeys(list).length !== length + 1) throw notPlain();
  return Array.from({ length }, (_, index) => {
    const item = Object.getOwnPropertyDescriptor(list, index);
    if (item === undefined || !("value" in item)) throw notPlain();
    return item.value ?? null;
  });
}

function notPlain(): InvalidAnswerError {
  return new InvalidAnswerError("An answer must be made of plain values: objects, lists, texts, numbers.");
}
