import type { Context } from "aws-lambda";
import * as z from "zod/mini";
import { describeError, errorFields } from "../../base/describe-error.ts";
import { OwnError } from "../../base/errors.ts";
import { forEachApp } from "../../base/for-each-app.ts";
import { lazy } from "../../base/lazy.ts";
import { forRequest, logWith } from "../../base/log.ts";
import { startTimeLimit } from "../../base/time-limit.ts";
import { aFunctionGiven, checkCall } from "../../chat/check-call.ts";
import { type OwnServices, onServices } from "./build-own-services.ts";
import type { OwnContext, OwnRun } from "./request-definition.ts";
import { openContext, runToEnd } from "./run-to-end.ts";

/** Context of a scheduled run for one app. */
export interface ScheduleContext extends OwnContext {
  /** `input` in serverless.yml, or a manual invocation's payload. */
  readonly input: unknown;
}

/** Does the work for one app; may return a result. */
export type ScheduleHandler<Result> = (context: ScheduleContext) => Promise<Result> | Result;

/** Options of `onSchedule`. */
export interface ScheduleOptions {
  /** Returns whether an app needs the run; if not, its secret is not read. Default: always. */
  readonly runsFor?: (appId: string) => boolean;
}

/** A Lambda function started by a schedule or manually. */
export interface ScheduledFunction<Result> {
  /**
   * Runs for each app. AWS repeats a failed run.
   * @throws ScheduleFailedError if an app failed
   */
  (
    event: unknown,
    context: Pick<Context, "awsRequestId" | "getRemainingTimeInMillis">,
  ): Promise<{ readonly apps: readonly AppRun<Result>[] }>;
  /** Returns the same function on other services, for tests. Never throws. */
  on(services: OwnServices): ScheduledFunction<Result>;
}

const marginMs = 1_000;

/**
 * Creates a deployed function from a handler that runs for each served app: up to eight concurrently, few in
 * sequence. An app that fails, or exceeds its share of the time, does not stop the others. AWS repeats a
 * schedule's failed run twice
 * (https://docs.aws.amazon.com/lambda/latest/dg/invocation-async-error-handling.html): the work must be
 * repeatable, or set `maximumRetryAttempts: 0` in serverless.yml.
 * @throws InvalidInputError if the handler is missing, or an option is wrong or unknown
 * @throws ScheduleFailedError from the function, at its end, if an app failed: Lambda's metrics then count an
 * error
 */
export function onSchedule<Result>(
  handler: ScheduleHandler<Result>,
  options: ScheduleOptions = {},
): ScheduledFunction<Result> {
  checkCall("onSchedule", "handler", aFunctionGiven(), handler);
  checkCall("onSchedule", "options", optionsSchema(), options);
  const { runsFor = () => true } = options;
  type Invoked = Parameters<ScheduledFunction<Result>>;
  return onServices((services) => async (...[input, context]: Invoked) => {
    const own = forRequest(services(), context.awsRequestId);
    const deadlineMs = own.now() + context.getRemainingTimeInMillis() - marginMs;
    const appIds = own.access.appIds.filter(runsFor);
    const run = { ...readRun(input, context.awsRequestId), receivedAt: own.now(), acts: own.acts };
    return { apps: await runForApps(appIds, own, deadlineMs, run, (own) => handler({ ...own, input })) };
  });
}

/**
 * Reads rule and planned time. A schedule's own `input` has none: then the invocation's id, equal in AWS's
 * retries.
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-run-lambda-schedule.html
 */
function readRun(input: unknown, requestId: string) {
  const { time, resources, "detail-type": type } = Object(input);
  const rule: unknown = Object(resources)[0];
  const isPlanned = type === "Scheduled Event" && typeof time === "string" && typeof rule === "string";
  if (!isPlanned) return { source: "schedule", key: requestId };
  return { source: `schedule ${rule}`, key: time };
}

const optionsSchema = /* @__PURE__ */ lazy(() => z.strictObject({ runsFor: z.optional(aFunctionGiven()) }));

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

  /** A getter: Lambda logs a thrown error's fields, which must not contain results. */
  get runs(): readonly AppRun<unknown>[] {
    return this.#runs;
  }
}

/**
 * @param deadlineMs of the whole run
 * @throws ScheduleFailedError at the end, if an app failed
 */
export async function runForApps<Result>(
  appIds: readonly string[],
  services: OwnServices,
  deadlineMs: number,
  run: OwnRun,
  work: (context: OwnContext) => Promise<Result> | Result,
): Promise<readonly AppRun<Result>[]> {
  const { count, now } = services;
  const runs = await forEachApp(
    appIds,
    { deadlineMs, now },
    async (appId, shareEndsAt): Promise<AppRun<Result>> => {
      const log = logWith(services.log, { appId });
      using time = startTimeLimit(Math.max(0, shareEndsAt - now()), now);
      const begin = async () => runToEnd(await openContext(services, appId, time, run), work);
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
