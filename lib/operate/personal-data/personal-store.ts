import { sideBySide } from "../../base/side-by-side.ts";

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
 * repeated.
 * @throws the first failure
 */
export async function eraseFrom(
  stores: readonly PersonalStore[],
  onErased: (name: string, count: number) => void,
  signal: AbortSignal,
): Promise<void> {
  for (const store of stores) {
    for (const [name, found] of await collect([store])) {
      const erasures = found.flatMap(({ erase }) => erase ?? []);
      await sideBySide(erasures, atOnce, (erase) => {
        signal.throwIfAborted();
        return erase();
      });
      if (erasures.length > 0) onErased(name, erasures.length);
    }
  }
}
