import * as z from "zod/mini";
import { isRecord } from "../base/json.ts";
import { lazyByKey } from "../base/lazy.ts";
import { longestTimerMs } from "../base/timers.ts";
import type { AtLeastOne } from "./needs.ts";

/** Of `zod/mini` or `zod`: the methods of `zod` would make the compiler add `undefined` to the output. */
export type Schema<Output = unknown, Input = unknown> = z.ZodMiniType & z.core.$ZodType<Output, Input>;

/** Types the input by the checks at run time. */
export function typedInput<Output, Input>(schema: Schema<Output>): Schema<Output, Input>;
// The signature above types it; type tests check it.
export function typedInput(schema: Schema): Schema {
  return schema;
}

/** Also refuses empty lists. */
export function atLeastOne<Fields extends object>(
  schema: Schema<Fields, Fields>,
): Schema<AtLeastOne<Fields>, AtLeastOne<Fields>>;
export function atLeastOne(schema: Schema): Schema {
  return schema.check(z.refine(saysSomething, "with at least one of its fields"));
}

function saysSomething(value: unknown) {
  return Object.values(Object(value)).some((field) => field !== undefined && !isEmptyList(field));
}

function isEmptyList(value: unknown) {
  return Array.isArray(value) && value.length === 0;
}

/** At import, schemas would slow down every cold start. */
export const schemaOf = lazyByKey((build: () => Schema): Schema => build());

/** Returns none if it is not a plain object. */
export function fieldNamesOf(schema: Schema): string[] {
  return "shape" in schema && isRecord(schema.shape) ? Object.keys(schema.shape) : [];
}

export type Field<Made extends Schema = Schema> = Made | (() => Made);

type Shape = Readonly<Record<string, Field>>;
type SchemaOf<One> = One extends () => infer Made ? Made : One;

export function toSchema<Made extends Schema>(field: Field<Made>): Made {
  return typeof field === "function" ? field() : field;
}

function toSchemas<Fields extends Shape>(shape: Fields): { [Name in keyof Fields]: SchemaOf<Fields[Name]> };
function toSchemas(shape: Shape): object {
  return mapValues(shape, toSchema);
}

export const strictObject = <Fields extends Shape>(shape: Fields) => z.strictObject(toSchemas(shape));

export const looseObject = <Fields extends Shape>(shape: Fields) => z.looseObject(toSchemas(shape));

export const opt = <Output, Input>(field: Field<Schema<Output, Input>>) => z.optional(toSchema(field));

export function optional<Fields extends Shape>(
  shape: Fields,
): {
  [Name in keyof Fields]: z.ZodMiniOptional<
    Schema<z.output<SchemaOf<Fields[Name]>>, z.input<SchemaOf<Fields[Name]>>>
  >;
};
export function optional(shape: Shape): object {
  return mapValues(shape, opt);
}

export function mapValues<Value, Result>(
  record: Readonly<Record<string, Value>>,
  change: (value: Value) => Result,
) {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
}

export function pathOf({ issues }: z.core.$ZodError): string {
  return issues[0]?.path.map(String).join(".") ?? "";
}

export const word = () => z.string();

/**
 * Allows 1 to `max` characters (UTF-16 units: an emoji counts as 2, as on the platform).
 * @see docs/internals/platform/ids-and-limits.md#texts
 */
export const words = (max: number) => z.string().check(z.minLength(1), z.maxLength(max));

/** Allows 1 to 100 of `a-z 0-9 - _`. The platform lowers upper case. */
export const platformId = () =>
  z.string().check(z.regex(/^[a-z0-9_-]{1,100}$/i, "1 to 100 of the characters a-z 0-9 - _"));

export const list = () => z.array(z.string());

export const ids = () => z.array(platformId());

/** An empty list is a mistake in a changing request. */
export const someIds = () => ids().check(z.minLength(1));

export const tags = () => z.array(words(100)).check(z.maxLength(25));

export const link = () => z.string().check(z.maxLength(3_000));

export const file = () => z.custom<Blob>((value) => value instanceof Blob, "a Blob");

export const textOrTexts = () => z.union([word(), list()]);

export const yesNo = () => z.boolean();

export const int = (min = 0, max = Number.MAX_SAFE_INTEGER) =>
  z
    .number()
    .check(
      z.refine(
        (value) => Number.isSafeInteger(value) && value >= min && value <= max,
        max === Number.MAX_SAFE_INTEGER
          ? `a whole number of at least ${min}`
          : `a whole number from ${min} to ${max}`,
      ),
    );

/** Refuses milliseconds. */
export const unixSeconds = () =>
  z
    .number()
    .check(z.refine((value) => Number.isSafeInteger(value) && value >= 0 && value < 1e11, "unix seconds"));

/** Refuses seconds. */
export const unixMilliseconds = () =>
  z.number().check(z.refine((value) => Number.isSafeInteger(value) && value >= 1e11, "unix milliseconds"));

/** Milliseconds of a timer. */
export const timeLimit = () =>
  z.number().check(z.refine((ms) => ms > 0 && ms <= longestTimerMs, "above 0, and at most 24 days"));

/** Unix seconds, inclusive. */
export const range = () => strictObject(optional({ from: unixSeconds, to: unixSeconds }));

export const json = () => z.custom<Record<string, unknown>>(isFieldBag, "an object");

/** Other objects (Headers, Map, …) would be sent empty. */
export function isFieldBag(value: unknown): value is Record<string, unknown> {
  return isRecord(value) && !(Symbol.iterator in value);
}

/** Metadata of users and groups, at most 5 KB. */
export const metadata = () =>
  json().check(z.refine((value) => jsonBytes(value) <= 5 * 1024, "an object of at most 5 KB as JSON"));

export const affix = () => z.enum(["append", "prepend"]);

/** @see docs/internals/platform/answers-and-errors.md#lists-by-page */
export const pageFields = () => optional({ page: int(1), perPage: int(1, 1_000) });

export const pageQuery = () => strictObject(pageFields());

export function jsonBytes(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value)).length;
}
