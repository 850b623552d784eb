import * as z from "zod/mini";
import { isRecord } from "../base/json.ts";
import { lazyByKey } from "../base/lazy.ts";
import type { AtLeastOne } from "./needs.ts";

/** Of `zod/mini` or `zod`: the methods of `zod` would make the compiler add `undefined` to the output. */
export type Schema<Output = unknown, Input = unknown> = z.ZodMiniType & z.core.$ZodType<Output, Input>;

/** Types the input by what the checks rule at run time. */
export function typedInput<Output, Input>(schema: Schema<Output>): Schema<Output, Input>;
// Typed by the signature above; type tests check it.
export function typedInput(schema: Schema): Schema {
  return schema;
}

/** Refuses empty lists, too. */
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

/** Schemas built at import would slow down every cold start. */
export const schemaOf = lazyByKey((build: () => Schema): Schema => build());

/** Empty if it is not a plain object. */
export function fieldNamesOf(schema: Schema): string[] {
  return "shape" in schema && isRecord(schema.shape) ? Object.keys(schema.shape) : [];
}
