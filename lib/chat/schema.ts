import type * as z from "zod/mini";
import { isRecord } from "../base/json.ts";
import { lazyByKey } from "../base/lazy.ts";

/**
 * Of `zod/mini` or `zod`, typed by what both share: the methods of `zod` would make the compiler add
 * `undefined` to the output.
 */
export type Schema<Output = unknown, Input = unknown> = z.ZodMiniType & z.core.$ZodType<Output, Input>;

/** Schemas built at import would slow down every cold start. */
export const schemaOf = lazyByKey((build: () => Schema): Schema => build());

/** Empty if it is not a plain object. */
export function fieldNamesOf(schema: Schema): string[] {
  return "shape" in schema && isRecord(schema.shape) ? Object.keys(schema.shape) : [];
}
