import { sideBySide } from "../../base/side-by-side.ts";
import { isChatApiError } from "../../chat/error-guards.ts";

/** One record about a person. */
export interface Found {
  readonly id: string;
  readonly content: unknown;
  /** When it is deleted by itself, if nothing else can delete it. */
  readonly endsAt?: string;
  /** Why nothing deletes it. */
  readonly stays?: string;
  /** Absent if it ends by itself, stays, or goes with another store. May be repeated. */
  readonly erase?: () => Promise<unknown>;
}

/** A place that may hold data about a person. */
export interface PersonalStore {
  readonly name: string;
  /** Without it, others cannot be searched: it is left after a failure that may pass. */
  readonly isLast?: true;
  /** Changes nothing. May be repeated. */
  find(): AsyncIterable<Found>;
}

/** The user agent of the search's own requests to the platform, which the local console does not keep. */
export const personalDataAgent = "cometchat-functions-people";

/** What was found, by store. */
export type Findings = ReadonlyMap<string, readonly Found[]>;

/** Searches stores. Changes nothing. @param onStore called before each store */
export async function collect(
  stores: readonly PersonalStore[],
  onStore?: (name: string) => void,
): Promise<Findings> {
  const all = new Map<string, Found[]>();
  for (const { name, find } of stores) {
    onStore?.(name);
    const found: Found[] = [];
    for await (const one of find()) found.push(one);
    all.set(name, found);
  }
  return all;
}

const atOnce = 5;

/**
 * Erases what the stores hold about a person, one store after the other. May be stopped anywhere and
 * repeated. A refusal ends one erasure, another failure its store.
 * @returns the last failure of each store that had one
 * @throws the signal's reason if aborted, and the errors of `onErased`
 */
export async function eraseFrom(
  stores: readonly PersonalStore[],
  onErased: (name: string, count: number) => void,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, unknown>> {
  const failures = new Map<string, unknown>();
  for (const store of stores) {
    const { name, isLast = false } = store;
    if (isLast && ![...failures.values()].every(isRefusal)) continue;
    failures.delete(name);
    let erased = 0;
    const tryOne = async (erase: () => Promise<unknown>) => {
      signal.throwIfAborted();
      try {
        await erase();
        erased += 1;
      } catch (error) {
        failures.set(name, error);
        if (!isRefusal(error)) throw error;
      }
    };
    try {
      const found = (await collect([store])).get(name) ?? [];
      await sideBySide(
        found.flatMap(({ erase }) => erase ?? []),
        atOnce,
        tryOne,
      );
    } catch (error) {
      signal.throwIfAborted();
      failures.set(name, error);
    }
    if (erased > 0) onErased(name, erased);
  }
  return failures;
}

/** By the platform, and the same again would be refused again. */
export function isRefusal(error: unknown): boolean {
  return isChatApiError(error) && !error.retryable && error.status < 500;
}
