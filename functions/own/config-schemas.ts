import type { ZodMiniType } from "zod/mini";

/**
 * Schemas of your own config/ files, by file name, such as `"on-call.yml": onCallSchema`. The build reads
 * this file before any YAML: keep schemas in files that import none.
 */
export const ownConfigSchemas: Readonly<Record<string, ZodMiniType>> = {};
