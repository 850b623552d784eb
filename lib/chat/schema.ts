import type * as z from "zod/mini";
import { isRecord } from "../base/json.ts";
import { lazyByKey } from "../base/lazy.ts";

/**
 * A schema that checks values on their way in or out, of `zod/mini` or `zod`. What it gives is told by the part that both
 * have alike: of the methods, those of `zod` would have the compiler add `undefined` to it.
 */
export type Schema<Output = unknown, Input = unknown> = z.ZodMiniType & z.core.$ZodType<Output, Input>;

/** Builds a schema at its first use and keeps it: schemas made at import would cost every cold start. */
export const schemaOf = lazyByKey((build: () => Schema): Schema => build());

/** Names the fields that a schema lists; none where it is no plain object. */
export function fieldNamesOf(schema: Schema): string[] {
  return "shape" in schema && isRecord(schema.shape) ? Object.keys(schema.shape) : [];
}
