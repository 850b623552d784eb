import type { RunnableSchedule, RunScheduleOptions, ScheduleOutcome } from "./function-run.ts";

/**
 * Starts a function that `onSchedule` made once, as EventBridge does, in the world that `runRequest` has. A run that fails is
 * told by `isFailed`, with what became of each app.
 * May be repeated: each run has a world of its own.
 * @throws InvalidInputError for an argument that is wrong, Error for a result that cannot be written as JSON, as Lambda does
 * @example const { apps } = await runSchedule(handler, { input: { dryRun: true } });
 */
export async function runSchedule(
  handler: RunnableSchedule,
  options: RunScheduleOptions = {},
): Promise<ScheduleOutcome> {
  // Loaded then: a test that only builds events needs no world.
  const { playSchedule } = await import("./kit/play-function.ts");
  return await playSchedule(handler, options);
}
