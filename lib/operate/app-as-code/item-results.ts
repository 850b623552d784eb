import { OwnError } from "../../base/own-error.ts";

/** The request succeeded, some of its items were refused. */
export class ItemsRefusedError extends OwnError {
  override readonly name = "ItemsRefusedError";
}

/**
 * @see docs/internals/platform/answers-and-errors.md#results-per-item
 * @throws ItemsRefusedError naming the items that failed
 */
export function requireSuccesses(
  what: string,
  results: Readonly<Record<string, { readonly success: boolean }>> | undefined,
): void {
  const refused = Object.entries(results ?? {}).filter(([, { success }]) => !success);
  if (refused.length === 0) return;
  throw new ItemsRefusedError(
    `The platform refused of the ${what}: ${refused.map(([id]) => id).join(", ")}.`,
  );
}
