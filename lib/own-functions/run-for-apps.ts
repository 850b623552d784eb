import { describeError } from "../describe-error.ts";
import { errorFields } from "../error-fields.ts";
import { logWith } from "../log.ts";
import { secretsByName } from "../secrets/app-secret.ts";
import { startTimeLimit } from "../time-limit.ts";
import type { OwnServices } from "./build-own-services.ts";
import type { OwnContext } from "./request-definition.ts";

/** What became of the work for one app. */
export type AppRun<Result> =
  | { readonly appId: string; readonly result: Result }
  | { readonly appId: string; readonly error: string };

/** Thrown at the end of a run in which an app failed; its message holds what became of each. */
export class ScheduleFailedError extends Error {
  override readonly name = "ScheduleFailedError";

  constructor(runs: readonly AppRun<unknown>[]) {
    const failed = runs.filter((run) => "error" in run);
    super(`The work failed for ${failed.length} of ${runs.length} apps. ${JSON.stringify(runs)}`);
  }
}

/**
 * Does the work for each of the apps in turn. Each has an equal share of the time that is left when its turn comes, so that
 * one which hangs costs the others nothing of theirs.
 * @param deadlineMs When all must be over, in milliseconds since 1970.
 * @throws ScheduleFailedError at the end, if an app failed
 */
export async function runForApps<Result>(
  appIds: readonly string[],
  services: OwnServices,
  deadlineMs: number,
  work: (context: OwnContext) => Promise<Result> | Result,
): Promise<readonly AppRun<Result>[]> {
  const { access, count, now } = services;
  const runs: AppRun<Result>[] = [];
  for (const [index, appId] of appIds.entries()) {
    const log = logWith(services.log, { appId });
    const share = (deadlineMs - now()) / (appIds.length - index);
    using time = startTimeLimit(Math.max(0, share), now);
    const { endsAt, signal } = time;
    const run = async () => {
      const { app, chat } = await access.open(appId, { deadlineMs: endsAt, signal });
      const secret = secretsByName(access.secretOf(appId), endsAt);
      return work({ app, chat, secret, log, count, signal, deadlineMs: endsAt, now });
    };
    try {
      runs.push({ appId, result: await time.within(run()) });
    } catch (error) {
      log.error("a scheduled function failed for an app", { ...errorFields(error) });
      count("ScheduleFailed", { appId });
      runs.push({ appId, error: describeError(error) });
    }
  }
  if (runs.some((run) => "error" in run)) throw new ScheduleFailedError(runs);
  return runs;
}
