import * as z from "zod/mini";
import { $ZodCatch } from "zod/v4/core";
import { isRecord } from "../base/json.ts";
import { lazyByKey } from "../base/lazy.ts";
import { recordOf } from "../base/record-of.ts";

/** Non-empty text, or a whole number as its digits. */
export const id = scalar("an id (text)", (value) => {
  // Above 2^53, different numbers parse as the same value.
  if (typeof value === "number") return Number.isSafeInteger(value) ? String(value) : undefined;
  return typeof value === "string" && value !== "" && value.length <= maxIdLength ? value : undefined;
});

/** Twice the longest known id, a conversation of two uids of 100 characters. Table keys are limited. */
const maxIdLength = 500;

/** May be empty. A number counts as its digits. */
export const text = scalar("text", (value) => {
  if (typeof value === "number") return String(value);
  return typeof value === "string" ? value : undefined;
});

/** Fits into a table item with other names. */
export const shortText = scalar("text of at most 1,000 characters", (value) =>
  typeof value === "string" && value.length <= 1000 ? value : undefined,
);

export const filledText = scalar("text that is not empty", (value) =>
  typeof value === "string" && value !== "" ? value : undefined,
);

/** Some come as text, such as a file size of `"350.2"`. */
export const number = scalar("a number or its digits", toNumber);

/** The media layer sends `"true"` and `"false"` (docs/internals/platform/events.md#truth-values). */
export const flag = scalar("true or false", (value) => {
  const written = typeof value === "boolean" || typeof value === "number" ? String(value) : value;
  if (written === "true" || written === "1") return true;
  return written === "false" || written === "0" ? false : undefined;
});

export const time = scalar("a moment", readMoment);

/** Of any content. An empty list counts as an empty object. */
export const anyObject = scalar("an object", (value) => {
  if (isRecord(value)) return value;
  return Array.isArray(value) && value.length === 0 ? {} : undefined;
});

export const anything = z.unknown();

/** Keeps unknown fields; its type shows only the given ones. */
export function open<Shape extends z.core.$ZodShape>(shape: Shape): z.ZodMiniObject<Shape, z.core.$strip> {
  return z.looseObject(shape);
}

/**
 * Unreadable values count as absent: an unneeded field must not fail the event (docs/internals/reading.md).
 * The event's `data` keeps the received value.
 */
export function optional<Schema extends z.core.$ZodType>(
  schema: Schema,
): z.core.$ZodCatch<z.ZodMiniOptional<Schema>>;
export function optional(schema: z.core.$ZodType): z.core.$ZodType {
  return optionalOf(schema);
}

/** One per kind: hundreds of schemas would cost a cold start milliseconds. */
const optionalOf = lazyByKey(
  (schema: z.core.$ZodType): z.core.$ZodType =>
    // Not z.catch, which takes all of zod's helpers along: 9 kB.
    new $ZodCatch({ type: "catch", innerType: z.optional(schema), catchValue: () => undefined }),
);

export function each<const Name extends string, Schema extends z.core.$ZodType>(
  names: readonly Name[],
  schema: Schema,
) {
  return recordOf(names, () => optional(schema));
}

/** A missing or malformed one counts as empty. */
export function orEmpty<Shape extends z.core.$ZodShape>(schema: z.ZodMiniObject<Shape, z.core.$strip>) {
  const toRecord = z.transform((value: unknown) => (isRecord(value) ? value : {}));
  return z.pipe(toRecord, schema);
}

/** Drops unreadable items. An object with index names counts as a list. */
export function listOf<Schema extends z.core.$ZodType>(item: Schema) {
  return scalar("a list", (value) => toItems(value)?.flatMap((one) => readOne(item, one)));
}

/** Drops unreadable entries. A list of users with uids counts as a map. */
export function mapByUid<Schema extends z.core.$ZodType>(person: Schema) {
  return scalar("a map of uid and user", (value) => {
    const entries = isRecord(value) ? Object.entries(value) : toPeople(value);
    return entries && toMap(entries.flatMap(([uid, one]) => readOne(person, one).map((read) => [uid, read])));
  });
}

function scalar<Value>(expected: string, read: (value: unknown) => Value | undefined) {
  return z.transform((value: unknown, context): Value => {
    const found = read(value);
    if (found !== undefined) return found;
    context.issues.push({ code: "custom", message: expected, input: value });
    return z.NEVER;
  });
}

function toItems(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value;
  return isRecord(value) && Object.keys(value).every((name) => /^\d+$/.test(name))
    ? Object.values(value)
    : undefined;
}

function toPeople(value: unknown): [string, unknown][] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value.flatMap((one): [string, unknown][] =>
    isRecord(one) && typeof one.uid === "string" ? [[one.uid, one]] : [],
  );
}

function readOne<Schema extends z.core.$ZodType>(schema: Schema, value: unknown): z.output<Schema>[] {
  const result = z.safeParse(schema, value);
  return result.success ? [result.data] : [];
}

function toMap<Value>(entries: readonly (readonly [string, Value])[]): Readonly<Record<string, Value>> {
  return Object.fromEntries(entries);
}

/** 2000-01-01 and 2100-01-01, in milliseconds since 1970. */
const earliestMs = 946_684_800_000;
const latestMs = 4_102_444_800_000;

/** Per second, millisecond and microsecond. Within the bounds above, only one unit is valid. */
const unitsMs = [1000, 1, 0.001];

/** Without a time zone, the time may be off by hours. */
const isoPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)$/;

/**
 * Seconds, milliseconds or microseconds since 1970, distinguished by magnitude, as a number or digits; or ISO
 * 8601 with a zone.
 * @returns undefined for any other value, and before 2000 or after 2100
 * @see docs/internals/platform/events.md#time-units
 */
export function readMoment(value: unknown): Date | undefined {
  const amount = toNumber(value);
  if (amount !== undefined) {
    for (const unitMs of unitsMs) if (isLikely(amount * unitMs)) return new Date(amount * unitMs);
    return undefined;
  }
  const ms = typeof value === "string" && isoPattern.test(value) ? Date.parse(value) : Number.NaN;
  return isLikely(ms) ? new Date(ms) : undefined;
}

export function toNumber(value: unknown): number | undefined {
  const number = typeof value === "string" && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}

function isLikely(ms: number) {
  return ms >= earliestMs && ms < latestMs;
}
