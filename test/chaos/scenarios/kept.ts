import { expect } from "vitest";
import type { Verdict } from "../world/judge.ts";
import { type PlayOptions, play } from "../world/play.ts";

/** What no run may break. Lists name the occurrences that broke it. */
type Kept = Pick<Verdict, "lost" | "doubled" | "outOfOrder" | "dead" | "stranded">;

/** Every promise kept, and nothing dead-lettered. */
export const kept: Kept = { lost: [], doubled: [], outOfOrder: [], dead: [], stranded: [] };

/** Picks from a verdict what no run may break. */
export function keptOf({ lost, doubled, outOfOrder, dead, stranded }: Verdict): Kept {
  return { lost, doubled, outOfOrder, dead, stranded };
}

/** Lists broken promises; empty if all are kept and `answered` matches. */
export function breachesOf(verdict: Verdict, answered: number): readonly string[] {
  return [
    ...Object.entries(keptOf(verdict)).flatMap(([name, found]) =>
      found.length > 0 ? [`${name} ${JSON.stringify(found)}`] : [],
    ),
    ...(verdict.answered === answered ? [] : [`answered ${verdict.answered}`]),
  ];
}

/** Runs a scenario that must break no promise, and answer that many if given. */
export async function playKept({ answered, ...options }: PlayOptions & { readonly answered?: number }) {
  const played = await play(options);
  expect(played.verdict).toMatchObject({ ...kept, ...(answered !== undefined && { answered }) });
  return played;
}
