import process from "node:process";

/**
 * Whether all cases run (`NIGHTLY=yes`, `.ci/nightly`): other failures, longer outages, each variant. By
 * day, when `.ci/run` has 15 minutes, each promise, command, view and page of `docs/` is tested once, at its
 * cheapest case that can fail.
 */
export const isNight = process.env.NIGHTLY === "yes";

/** Returns all cases at night, and the first ones by day. */
export function firstByDay<T>(cases: readonly T[], count = 1): readonly T[] {
  return isNight ? cases : cases.slice(0, count);
}
