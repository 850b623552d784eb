import { isNotAsDocumented } from "../chat/documented.ts";
import type { SingleOperation } from "../chat/operation.ts";

/**
 * Runs `act`; if the platform's answer is in an undocumented form, looks whether it is done.
 * @throws what `act` throws, unless the look finds that it is done
 */
export async function orReadBack<T>(
  act: () => Promise<T>,
  isDone: () => Promise<boolean>,
  done: T,
): Promise<T> {
  try {
    return await act();
  } catch (error) {
    // A failed look proves nothing.
    if (isNotAsDocumented(error) && (await isDone().catch(() => false))) return done;
    throw error;
  }
}

/** Returns an operation whose answer counts as done in any form, because nothing can be read back. */
export function inAnyForm<const O extends SingleOperation>(operation: O) {
  return { ...operation, takesAnyForm: true } as const;
}
