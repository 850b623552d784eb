import type { Blow } from "../../local/testing/simulated/process.ts";
import { isNight } from "../helpers/by-day.ts";
import { breachesOf } from "./scenarios/kept.ts";
import type { Verdict } from "./world/judge.ts";
import { type PlayOptions, play } from "./world/play.ts";
import type { World, WorldOptions } from "./world/world.ts";

/** How a process is struck at one of its steps. */
export type Strike = { readonly at: number; readonly blow: Exclude<Blow, "none"> };

const blows = ["killed before", "killed after", "frozen before", "frozen after"] as const;

/** Each blow with its turn, from 0. */
export const turns = blows.map((blow, turn) => ({ blow, turn }));

/** Records the requests of the consumer's processes, and strikes them at these steps. */
function strikeConsumer(strikes: readonly Strike[]) {
  const edges: string[] = [];
  const strikeAt: NonNullable<WorldOptions["strikeAt"]> = (operation, { name }) => {
    if (operation === "sleep" || !name.startsWith("environment")) return "none";
    const number = edges.push(operation) - 1;
    return strikes.find(({ at }) => at === number)?.blow ?? "none";
  };
  return { edges, strikeAt };
}

interface Run {
  readonly edges: readonly string[];
  readonly breaches: readonly string[];
}

/** Makes a run whose consumer's process is struck at these steps, and that must answer that many. */
export function struckRun(
  optionsOf: () => PlayOptions,
  answered: number,
  moreBreachesOf: (played: { world: World; verdict: Verdict }) => readonly string[] = () => [],
): (strikes: readonly Strike[]) => Promise<Run> {
  const playWith = async (strikes: readonly Strike[]) => {
    const { edges, strikeAt } = strikeConsumer(strikes);
    const played = await play({ seed: 1, pollAfterMs: () => 30, strikeAt, ...optionsOf() });
    return { edges, breaches: [...breachesOf(played.verdict, answered), ...moreBreachesOf(played)] };
  };
  let undisturbed: Promise<Run> | undefined;
  return (strikes) => {
    if (strikes.length > 0) return playWith(strikes);
    undisturbed ??= playWith([]);
    return undisturbed;
  };
}

/** Runs without a strike, and again with another step struck each time; returns the broken promises. */
export async function playStruck(
  run: (strikes: readonly Strike[]) => Promise<Run>,
  strikesAt: (at: number) => readonly Strike[],
  { turn, every }: { readonly turn: number; readonly every: number },
): Promise<readonly string[]> {
  const { edges, breaches } = await run([]);
  const broken = [...breaches];
  for (const at of stepsToStrike(edges.length, turn, every)) {
    const { breaches } = await run(strikesAt(at));
    if (breaches.length > 0) broken.push(`${at} ${edges[at]}: ${breaches.join("; ")}`);
  }
  return broken;
}

/**
 * Returns which of a run's steps are struck, from 0. At night all, by day each `every` steps, beginning with
 * the turn: with 4, every step is struck in one of the four ways.
 */
export function stepsToStrike(steps: number, turn: number, every: number): readonly number[] {
  const all = Array.from({ length: steps }, (_, step) => step);
  return isNight ? all : all.filter((step) => step % every === turn % every);
}
