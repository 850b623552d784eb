import * as z from "zod/mini";
import { isRecord } from "../base/json.ts";
import { lazyByKey } from "../base/lazy.ts";
import type { AtLeastOne } from "./needs.ts";

/**
 * A schema of `zod/mini` or `zod`: the methods of `zod` would make the compiler add `undefined` to the
 * output.
 */
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

function saysSomething(value: unknown): boolean {
  return Object.values(Object(value)).some((field) => field !== undefined && !isEmptyList(field));
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** Builds schemas late: at import they would slow down every cold start. */
export const schemaOf = lazyByKey((build: () => Schema): Schema => build());

/** Returns none if it is not a plain object. */
export function fieldNamesOf(schema: Schema): string[] {
  return "shape" in schema && isRecord(schema.shape) ? Object.keys(schema.shape) : [];
}
