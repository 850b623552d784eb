import type * as z from "zod/mini";
import { isRecord } from "../base/json.ts";
import { lazyByKey } from "../base/lazy.ts";

/**
 * A schema for input or output, of `zod/mini` or `zod`. Typed by what both share: the methods of `zod` would
 * make the compiler add `undefined` to the output.
 */
export type Schema<Output = unknown, Input = unknown> = z.ZodMiniType & z.core.$ZodType<Output, Input>;

/**
 * Builds a schema at its first use and keeps it, because schemas built at import would slow down every cold
 * start.
 */
export const schemaOf = lazyByKey((build: () => Schema): Schema => build());

/** Returns the fields that a schema lists; empty if it is not a plain object. */
export function fieldNamesOf(schema: Schema): string[] {
  return "shape" in schema && isRecord(schema.shape) ? Object.keys(schema.shape) : [];
}
