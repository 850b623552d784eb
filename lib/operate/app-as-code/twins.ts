import type { FoundThing } from "./thing.ts";

/** Of things with one id, newest first. A page may repeat one that is not another. */
export function oldestOf(things: readonly FoundThing[]): FoundThing | undefined {
  const oldest = things.at(-1);
  const twins = new Set(things.map(({ ownId }) => ownId)).size;
  return oldest && twins > 1 ? { ...oldest, twins } : oldest;
}

/** Why one of several must not be chosen silently. */
export function twinsIn(found: FoundThing | undefined): readonly string[] {
  if (found?.twins === undefined) return [];
  return [`There are ${found.twins} of this name: delete all but one in the dashboard, or all with absent.`];
}
