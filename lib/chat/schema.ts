import type * as z from "zod/mini";

/**
 * A schema that checks values on their way in or out, of `zod/mini` or `zod`. What it gives is told by the part that both
 * have alike: of the methods, those of `zod` would have the compiler add `undefined` to it.
 */
export type Schema<Output = unknown, Input = unknown> = z.ZodMiniType & z.core.$ZodType<Output, Input>;
