import process from "node:process";

/** Whether everything is played (`NIGHTLY=yes`, `.ci/nightly`). By day the whole suite has to end within minutes. */
export const isNight = process.env.NIGHTLY === "yes";

/** Returns all cases at night, and the first ones by day. */
export function firstByDay<T>(cases: readonly T[], count = 1): readonly T[] {
  return isNight ? cases : cases.slice(0, count);
}
