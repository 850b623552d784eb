import { secretsByName } from "../../aws/secrets/app-secret.ts";
import { describeError } from "../../base/describe-error.ts";
import { errorFields } from "../../base/error-fields.ts";
import { forEachApp } from "../../base/for-each-app.ts";
import { logWith } from "../../base/log.ts";
import { OwnError } from "../../base/own-error.ts";
import { startTimeLimit } from "../../base/time-limit.ts";
import type { OwnServices } from "./build-own-services.ts";
import type { OwnContext, OwnRun } from "./request-definition.ts";

export type AppRun<Result> =
  | { readonly appId: string; readonly result: Result }
  | { readonly appId: string; readonly error: string };

export class ScheduleFailedError extends OwnError {
  override readonly name = "ScheduleFailedError";

  readonly #runs: readonly AppRun<unknown>[];

  constructor(runs: readonly AppRun<unknown>[]) {
    const failed = runs.flatMap((run) => ("error" in run ? [`${run.appId} (${run.error})`] : []));
    super(`The work failed for ${failed.length} of ${runs.length} apps: ${failed.join(", ")}`);
    this.#runs = runs;
  }

  /** Lambda logs a thrown error with its message and fields: neither may have the results of other apps. */
  get runs(): readonly AppRun<unknown>[] {
    return this.#runs;
  }
}

/**
 * @param deadlineMs of the whole run, in milliseconds since 1970
 * @throws ScheduleFailedError at the end, if an app failed
 */
export async function runForApps<Result>(
  appIds: readonly string[],
  services: OwnServices,
  deadlineMs: number,
  run: OwnRun,
  work: (context: OwnContext) => Promise<Result> | Result,
): Promise<readonly AppRun<Result>[]> {
  const { access, count, now } = services;
  const runs = await forEachApp(
    appIds,
    { deadlineMs, now },
    async (appId, shareEndsAt): Promise<AppRun<Result>> => {
      const log = logWith(services.log, { appId });
      using time = startTimeLimit(Math.max(0, shareEndsAt - now()), now);
      const { endsAt, signal } = time;
      const begin = async () => {
        const { app, chat } = await access.open(appId, { deadlineMs: endsAt, signal });
        const secret = secretsByName(access.secretOf(appId), endsAt);
        return work({ app, chat, secret, log, count, signal, deadlineMs: endsAt, now, run });
      };
      try {
        return { appId, result: await time.within(begin) };
      } catch (error) {
        log.error("a scheduled function failed for an app", { ...errorFields(error) });
        count("ScheduleFailed", { appId });
        return { appId, error: describeError(error) };
      }
    },
  );
  if (runs.some((run) => "error" in run)) throw new ScheduleFailedError(runs);
  return runs;
}
