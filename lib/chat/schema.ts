import type * as z from "zod/mini";
import { isRecord } from "../base/json.ts";
import { lazyByKey } from "../base/lazy.ts";

/**
 * Of `zod/mini` or `zod`, typed by what both share: the methods of `zod` would make the compiler add
 * `undefined` to the output.
 */
export type Schema<Output = unknown, Input = unknown> = z.ZodMiniType & z.core.$ZodType<Output, Input>;

/** Gives the input the type of which the schema's checks are the rule at run time. */
export function typedInput<Output, Input>(schema: Schema<Output>): Schema<Output, Input>;
// The signature above gives the types, and type tests check them.
export function typedInput(schema: Schema): Schema {
  return schema;
}

/** Schemas built at import would slow down every cold start. */
export const schemaOf = lazyByKey((build: () => Schema): Schema => build());

/** Empty if it is not a plain object. */
export function fieldNamesOf(schema: Schema): string[] {
  return "shape" in schema && isRecord(schema.shape) ? Object.keys(schema.shape) : [];
}
