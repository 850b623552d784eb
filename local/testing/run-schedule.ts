import type { RunnableSchedule, RunScheduleOptions, ScheduleOutcome } from "./function-run.ts";

/**
 * Runs a function of `onSchedule` once, as EventBridge does, in the environment of `runRequest`. Repeatable:
 * each run has its own state.
 * @throws InvalidInputError for an invalid argument, Error if the result is not JSON, as Lambda does
 * @example const { apps } = await runSchedule(handler, { input: { dryRun: true } });
 */
export async function runSchedule(
  handler: RunnableSchedule,
  options: RunScheduleOptions = {},
): Promise<ScheduleOutcome> {
  const { playSchedule } = await import("./kit/play-function.ts");
  return await playSchedule(handler, options);
}
