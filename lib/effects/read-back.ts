import { isNotAsDocumented } from "../chat/documented.ts";
import type { SingleOperation } from "../chat/operation.ts";

/**
 * Acts, and where the platform's answer is not in a documented form, looks whether it is done all the same.
 * @throws what `act` throws, unless the look shows that it is done
 */
export async function orReadBack<T>(
  act: () => Promise<T>,
  isDone: () => Promise<boolean>,
  done: T,
): Promise<T> {
  try {
    return await act();
  } catch (error) {
    // A look that fails shows nothing.
    if (isNotAsDocumented(error) && (await isDone().catch(() => false))) return done;
    throw error;
  }
}

/** Returns an operation whose answer counts as done in any form, because nothing can be read back. */
export function inAnyForm<const O extends SingleOperation>(operation: O) {
  return { ...operation, takesAnyForm: true } as const;
}
