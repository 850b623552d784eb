import process from "node:process";

/**
 * Returns the parameters of a property test: by day a fixed seed and `numRuns` runs, so that a run of the
 * suite takes equally long and ends the same each time; with `NIGHTLY=yes` (`.ci/nightly`) a new seed and
 * twenty times as many.
 */
export function runs(numRuns = 100): { readonly seed?: number; readonly numRuns: number } {
  return process.env.NIGHTLY === "yes" ? { numRuns: numRuns * 20 } : { seed: 1, numRuns };
}
