import { randomUUID } from "node:crypto";
import * as z from "zod/mini";
import { parseJson } from "../../../lib/base/json.ts";
import type { OwnServices } from "../../../lib/endpoints/own/build-own-services.ts";
import type { AppRun } from "../../../lib/endpoints/own/run-for-apps.ts";
import { writeScheduledEvent } from "../../cloud/schedules/scheduled-event.ts";
import {
  aRouteGiven,
  checkFunctionGiven,
  checkFunctionOptions,
  checkFunctionRequest,
  jsonGiven,
  refuseOtherFunction,
} from "../check-function-run.ts";
import type {
  FunctionInvocation,
  FunctionOutcome,
  FunctionRequest,
  RequestOutcome,
  RunFunctionOptions,
  RunnableRequest,
  RunnableSchedule,
  RunRequestOptions,
  RunScheduleOptions,
  ScheduleOutcome,
} from "../function-run.ts";
import { appOfStory } from "./app-of-story.ts";
import { collectLog } from "./collect-log.ts";
import { readApiRequest, readSent } from "./exchanges.ts";
import { createFunctionSimulation } from "./function-simulation.ts";
import { writeFunctionRequest } from "./write-function-request.ts";

/** The default timeout in serverless.yml. */
const usualTimeoutMs = 6_000;

export async function playRequest(
  handler: RunnableRequest,
  request: FunctionRequest,
  options: RunRequestOptions,
): Promise<RequestOutcome> {
  checkFunctionGiven("runRequest", "onRequest", handler);
  checkFunctionRequest("runRequest", request);
  checkFunctionOptions("runRequest", options, { route: z.optional(aRouteGiven()) });
  const event = writeFunctionRequest(request, options.route, startOf(options));
  const { made, ...done } = await play(options, (services, invocation) =>
    handler.on(services)(event, invocation),
  );
  const { statusCode: status, headers = {}, body: text = "" } = made;
  if (status === undefined) refuseOtherFunction("runRequest", "onRequest");
  return {
    status,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
    body: text === "" ? undefined : (parseJson(text) ?? text),
    ...done,
  };
}

export async function playSchedule(
  handler: RunnableSchedule,
  options: RunScheduleOptions,
): Promise<ScheduleOutcome> {
  checkFunctionGiven("runSchedule", "onSchedule", handler);
  checkFunctionOptions("runSchedule", options, { input: z.optional(jsonGiven()) });
  const { input: given = writeScheduledEvent("function", "us-east-1", startOf(options)) } = options;
  const input: unknown = JSON.parse(JSON.stringify(given));
  const { made, ...done } = await play(options, async (services, invocation) => {
    try {
      const { apps } = await handler.on(services)(input, invocation);
      return { apps, isFailed: false };
    } catch (error) {
      if (error instanceof Error && "runs" in error && isRuns(error.runs))
        return { apps: error.runs, isFailed: true };
      throw error;
    }
  });
  if (!isRuns(made.apps)) refuseOtherFunction("runSchedule", "onSchedule");
  return { ...made, apps: asAnswered(made.apps), ...done };
}

interface Played<Made> extends FunctionOutcome {
  readonly made: Made;
}

/** In its own environment, which ends with it. */
async function play<Made>(
  options: RunFunctionOptions,
  invoke: (services: OwnServices, invocation: FunctionInvocation) => Promise<Made>,
): Promise<Played<Made>> {
  const { appIds = ["app-1"], secrets = {}, answer = () => undefined, timeoutMs = usualTimeoutMs } = options;
  const startMs = startOf(options);
  const { log, count, lines, counts } = collectLog();
  const { services, platform, exchanges } = createFunctionSimulation({
    apps: appIds.map((appId) => appOfStory([], appId, options.app)),
    now: () => startMs,
    ...{ log, count, secrets, startMs, answer },
  });
  try {
    const invocation = { awsRequestId: randomUUID(), getRemainingTimeInMillis: () => timeoutMs };
    const made = await invoke(services, invocation);
    const sent = exchanges.flatMap(readSent);
    return { made, sent, requests: exchanges.map(readApiRequest), log: lines, counts };
  } finally {
    await platform.close();
  }
}

function startOf({ clock }: RunFunctionOptions): number {
  return clock?.getTime() ?? Date.UTC(2026, 0, 1);
}

/** Lambda fails the run if the result is not JSON. */
function asAnswered(apps: readonly AppRun<unknown>[]): readonly AppRun<unknown>[] {
  try {
    return JSON.parse(JSON.stringify(apps));
  } catch (error) {
    const message =
      "What the handler gave cannot be written as JSON, so that the run counts as failed and is repeated.";
    throw new Error(message, { cause: error });
  }
}

/** An app's bundle may have another copy of the module. */
function isRuns(runs: unknown): runs is readonly AppRun<unknown>[] {
  return Array.isArray(runs);
}
