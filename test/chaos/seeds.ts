import { randomInt } from "node:crypto";
import process from "node:process";

/** Returns the seeds that a test is played with. The name of a failing test holds its seed; `CHAOS_SEED=…` plays that one alone. */
export function seeds(fixed = 1): readonly number[] {
  return [newSeed(fixed)];
}

/** Returns the seed that `CHAOS_SEED` asks for, a random one with `NIGHTLY=yes` (`.ci/nightly`), and otherwise a fixed one. */
export function newSeed(fixed = 1): number {
  const { CHAOS_SEED, NIGHTLY } = process.env;
  if (CHAOS_SEED !== undefined) return Number(CHAOS_SEED);
  return NIGHTLY === "yes" ? randomInt(2 ** 31) : fixed;
}

/** Time is virtual; how much real time a run takes depends on the machine alone. */
export const unhurried = { timeout: 900_000 } as const;
