import type { ZodMiniType } from "zod/mini";

/**
 * By file name in config/, such as `"on-call.yml": onCallSchema`. The build reads this file before any YAML:
 * keep schemas in files that import none.
 */
export const ownConfigSchemas: Readonly<Record<string, ZodMiniType>> = {};
