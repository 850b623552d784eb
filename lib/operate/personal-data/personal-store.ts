import { sideBySide } from "../../base/side-by-side.ts";

/** One thing that is stored about a person. */
export interface Found {
  readonly id: string;
  readonly content: unknown;
  /** When it is deleted by itself, if nothing else can delete it. */
  readonly endsAt?: string;
  /** Absent if it ends by itself, or goes with another store. May be repeated. */
  readonly erase?: () => Promise<unknown>;
}

/** A place that may hold data about a person. */
export interface PersonalStore {
  readonly name: string;
  /** Changes nothing. May be repeated. */
  find(): Promise<Findings>;
}

export interface Findings {
  readonly found: readonly Found[];
  /** About how many messages of a queue could not be read, because another reader holds them. */
  readonly unseen?: number;
}

/** Searches all stores. Changes nothing. */
export async function collect(
  stores: readonly PersonalStore[],
  onSearch: (name: string) => void,
): Promise<ReadonlyMap<string, Findings>> {
  const all = new Map<string, Findings>();
  for (const store of stores) {
    onSearch(store.name);
    all.set(store.name, await store.find());
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
  for (const { name, find } of stores) {
    const { found } = await find();
    const erasures = found.flatMap(({ erase }) => (erase === undefined ? [] : [erase]));
    await sideBySide(erasures, atOnce, async (erase) => {
      signal.throwIfAborted();
      await erase();
    });
    onErased(name, erasures.length);
  }
}
