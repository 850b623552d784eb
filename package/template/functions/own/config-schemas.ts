import type { ZodMiniType } from "zod/mini";

/**
 * What each file of config/ of your own may hold, by file name, such as `"on-call.yml": onCallSchema`. The build reads this
 * file before any YAML: keep schemas in files that import none.
 */
export const ownConfigSchemas: Readonly<Record<string, ZodMiniType>> = {};
