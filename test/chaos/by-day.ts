import process from "node:process";
import type { Blow } from "../../local/testing/world/process.ts";

/** Whether everything is played (`NIGHTLY=yes`, `.ci/nightly`). By day the whole suite has to end within minutes. */
export const isNight = process.env.NIGHTLY === "yes";

/** Returns all cases at night, and the first ones by day. */
export function firstByDay<T>(cases: readonly T[], count = 1): readonly T[] {
  return isNight ? cases : cases.slice(0, count);
}

/** How a process is struck at one of its steps. */
export type Strike = { readonly at: number; readonly blow: Exclude<Blow, "none"> };

const blows = ["killed before", "killed after", "frozen before", "frozen after"] as const;

/** Each blow with its turn, from 0. */
export const turns = blows.map((blow, turn) => ({ blow, turn }));

/**
 * Returns which of a run's steps are struck, from 0. At night all, by day each `every` steps, beginning with the
 * turn: with 4, every step is struck in one of the four ways.
 */
export function stepsToStrike(steps: number, turn: number, every: number = blows.length): readonly number[] {
  const all = Array.from({ length: steps }, (_, step) => step);
  return isNight ? all : all.filter((step) => step % every === turn % every);
}
