import { randomInt } from "node:crypto";

/**
 * The seeds that a test is run with: a fixed one, and one that nobody tried before. The name of a failing test tells its
 * seed; `CHAOS_SEED=…` plays that one alone.
 */
export function seeds(fixed = 1): readonly number[] {
  const asked = process.env.CHAOS_SEED;
  return asked === undefined ? [fixed, newSeed()] : [Number(asked)];
}

/** A seed that nobody tried before, unless one is asked for. */
export function newSeed(): number {
  return Number(process.env.CHAOS_SEED ?? randomInt(2 ** 31));
}

/**
 * Time is virtual; what a run takes of the real one depends on the machine alone. A promise that is broken once is broken:
 * there is no second try.
 */
export const unhurried = { timeout: 900_000, retry: 0 } as const;
