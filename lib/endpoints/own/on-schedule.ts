import type { Context } from "aws-lambda";
import * as z from "zod/mini";
import { lazy } from "../../base/lazy.ts";
import { forRequest } from "../../base/process-log.ts";
import { aFunctionGiven, checkCall } from "../../chat/check-call.ts";
import { buildOwnServices, type OwnServices } from "./build-own-services.ts";
import { checkServices } from "./check-services.ts";
import type { OwnContext } from "./request-definition.ts";
import { type AppRun, runForApps } from "./run-for-apps.ts";

/** What a handler of a schedule gets, for one app. */
export interface ScheduleContext extends OwnContext {
  /** The event: what `input` says in serverless.yml, or what somebody invoked the function with. */
  readonly input: unknown;
}

/** Does the work for one app, and may tell what came of it. */
export type ScheduleHandler<Result> = (context: ScheduleContext) => Promise<Result> | Result;

/** For which apps a schedule does anything. */
export interface ScheduleOptions {
  /** Whether there is anything to do for an app; for others not even a secret is read. Default: always. */
  readonly runsFor?: (appId: string) => boolean;
}

/** A function of Lambda that a schedule or a person starts. */
export interface ScheduledFunction<Result> {
  /** Runs for each app. AWS repeats a run that failed. @throws ScheduleFailedError if an app failed */
  (
    event: unknown,
    context: Pick<Context, "awsRequestId" | "getRemainingTimeInMillis">,
  ): Promise<{ readonly apps: readonly AppRun<Result>[] }>;
  /** Gives the same function on other services than the deployed ones: for tests. Never throws. */
  on(services: OwnServices): ScheduledFunction<Result>;
}

/** What is left for the answer when the function's time is nearly up, in milliseconds. */
const marginMs = 1_000;

/**
 * Makes a deployed function out of a handler that runs for each served app, one after the other where they are few, up to
 * eight side by side where they are many: one that fails, or takes more than its share of the time, does not keep others from it. AWS starts a schedule's run that failed twice more
 * (https://docs.aws.amazon.com/lambda/latest/dg/invocation-async-error-handling.html), so that what it does must be
 * repeatable, or `maximumRetryAttempts: 0` stand in serverless.yml.
 * @throws InvalidInputError for what is no handler, and for an option that is wrong or not known
 * @throws ScheduleFailedError from the function, at its end, if an app failed: it then counts as failed in Lambda's metrics
 */
export function onSchedule<Result>(
  handler: ScheduleHandler<Result>,
  options: ScheduleOptions = {},
): ScheduledFunction<Result> {
  checkCall("onSchedule", "handler", aFunctionGiven(), handler);
  checkCall("onSchedule", "options", optionsSchema(), options);
  const { runsFor = () => true } = options;
  const standingOn = (services: () => OwnServices): ScheduledFunction<Result> =>
    Object.assign<Invoked<Result>, Pick<ScheduledFunction<Result>, "on">>(
      async (input, context) => {
        const own = forRequest(services(), context.awsRequestId);
        const deadlineMs = own.now() + context.getRemainingTimeInMillis() - marginMs;
        const appIds = own.access.appIds.filter(runsFor);
        return { apps: await runForApps(appIds, own, deadlineMs, (own) => handler({ ...own, input })) };
      },
      {
        on: (other) => {
          checkServices("onSchedule", other);
          return standingOn(() => other);
        },
      },
    );
  return standingOn(lazy(buildOwnServices));
}

const optionsSchema = /* @__PURE__ */ lazy(() => z.strictObject({ runsFor: z.optional(aFunctionGiven()) }));

type Invoked<Result> = (
  ...args: Parameters<ScheduledFunction<Result>>
) => ReturnType<ScheduledFunction<Result>>;
