import { PlatformError, toItemFailure } from "../errors/platform-error.ts";
import type { JsonObject } from "../json.ts";

/** Runs one item of a bulk request and gives its result; a refusal becomes the item's `error` and fails nothing else. */
export function itemResult(run: () => JsonObject): JsonObject {
  try {
    return { success: true, ...run() };
  } catch (error) {
    if (error instanceof PlatformError) return toItemFailure(error);
    throw error;
  }
}
