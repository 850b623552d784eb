import { randomInt } from "node:crypto";
import process from "node:process";

/** The seed of a file's runs: `CHAOS_SEED`, a random one with `NIGHTLY=yes` (`.ci/nightly`), or else 1. */
export const seed = Number(
  process.env.CHAOS_SEED ?? (process.env.NIGHTLY === "yes" ? randomInt(2 ** 31) : 1),
);

/** Time is virtual; the real time of a run depends only on the machine. */
export const unhurried = { timeout: 900_000 } as const;
