import { randomUUID } from "node:crypto";
import * as z from "zod/mini";
import { parseJson } from "../../../lib/base/json.ts";
import { isError } from "../../../lib/base/realm.ts";
import { checkCall } from "../../../lib/chat/check-call.ts";
import { InvalidInputError } from "../../../lib/chat/errors.ts";
import type { OwnServices } from "../../../lib/endpoints/own/build-own-services.ts";
import type { AppRun } from "../../../lib/endpoints/own/on-schedule.ts";
import { buildOwnActs } from "../../../lib/endpoints/own/own-acts.ts";
import { writeScheduledEvent } from "../../cloud/schedules/scheduled-event.ts";
import {
  aRouteGiven,
  checkFunctionGiven,
  checkFunctionOptions,
  jsonGiven,
  requestSchema,
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
import { createKitOwnServices } from "./kit-own-services.ts";
import { readRun } from "./played-flows.ts";
import { createSimulation, type Simulation } from "./simulation.ts";
import { writeFunctionRequest } from "./write-function-request.ts";

/** The default timeout in serverless.yml. */
const usualTimeoutMs = 6_000;

export async function playRequest(
  handler: RunnableRequest,
  request: FunctionRequest,
  options: RunRequestOptions,
): Promise<RequestOutcome> {
  checkFunctionGiven("runRequest", "onRequest", handler);
  checkCall("runRequest", "request", requestSchema(), request);
  checkFunctionOptions("runRequest", options, { route: z.optional(aRouteGiven()) });
  const event = writeFunctionRequest(request, options.route, startOf(options));
  const { made, ...done } = await play(options, {
    invoke: (services, invocation) => handler.on(services)(event, invocation),
    isFine: ({ statusCode = 500 }) => statusCode < 500,
    mostRepeats: 4,
  });
  const { statusCode: status, headers = {}, body: text = "" } = made;
  if (status === undefined) throw new InvalidInputError("runRequest", "handler", "what onRequest made");
  return {
    status,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
    body: headers["content-type"] === "text/event-stream" ? eventsIn(text) : readText(text),
    ...done,
  };
}

function readText(text: string): unknown {
  return text === "" ? undefined : (parseJson(text) ?? text);
}

/** Each is `data: <JSON>` and a blank line. */
function eventsIn(stream: string): readonly unknown[] {
  return stream
    .split("\n\n")
    .slice(0, -1)
    .map((frame) => parseJson(frame.replace(/^data: /, "")));
}

export async function playSchedule(
  handler: RunnableSchedule,
  options: RunScheduleOptions,
): Promise<ScheduleOutcome> {
  checkFunctionGiven("runSchedule", "onSchedule", handler);
  checkFunctionOptions("runSchedule", options, { input: z.optional(jsonGiven()) });
  const { input: given = writeScheduledEvent("function", "us-east-1", startOf(options)) } = options;
  const input: unknown = JSON.parse(JSON.stringify(given));
  const { made, ...done } = await play(options, {
    invoke: async (services, invocation) => {
      try {
        const { apps } = await handler.on(services)(input, invocation);
        return { apps, isFailed: false };
      } catch (error) {
        if (isError(error) && "runs" in error && isRuns(error.runs))
          return { apps: error.runs, isFailed: true };
        throw error;
      }
    },
    isFine: ({ isFailed }) => !isFailed,
    mostRepeats: 2,
  });
  if (!isRuns(made.apps)) throw new InvalidInputError("runSchedule", "handler", "what onSchedule made");
  return { ...made, apps: asAnswered(made.apps), ...done };
}

interface Played<Made> extends FunctionOutcome {
  readonly made: Made;
}

const died = Symbol("died");

type Invoke<Made> = (services: OwnServices, invocation: FunctionInvocation) => Promise<Made>;

interface Repeating<Made> {
  readonly invoke: Invoke<Made>;
  /** Whether the caller, or AWS, does not repeat it. */
  readonly isFine: (made: Made) => boolean;
  /** How often it is repeated after a crash, until it is fine. */
  readonly mostRepeats: number;
}

/** Flows end within 366 days. */
const longestMs = 400 * 86_400_000;
/** AWS waits one and two minutes before it repeats an invocation; callers do here. */
const repeatMs = 60_000;

/** In its own environment, which ends with it. */
async function play<Made>(
  options: RunFunctionOptions,
  { invoke, isFine, mostRepeats }: Repeating<Made>,
): Promise<Played<Made>> {
  const { appIds = ["app-1"], timeoutMs = usualTimeoutMs, crash = [], deliveries = 1 } = options;
  const startMs = startOf(options);
  const simulation = await createSimulation({
    ...options,
    apps: appIds.map((appId) => appOfStory([], appId, options.app)),
    triggers: {},
    startMs,
  });
  const { clock, platform } = simulation;
  try {
    let made: Made | typeof died = died;
    for (let delivery = 0; delivery < deliveries; delivery += 1) {
      if (delivery > 0) await clock.run({ untilMs: clock.now() + repeatMs });
      const invocation = { awsRequestId: randomUUID(), getRemainingTimeInMillis: () => timeoutMs };
      made = await invokeOnce(simulation, appIds, invoke, invocation);
      const isAgain = () => made === died || (crash.length > 0 && !isFine(made));
      for (let repeat = 1; repeat <= mostRepeats && isAgain(); repeat += 1) {
        await clock.run({ untilMs: clock.now() + repeat * repeatMs });
        made = await invokeOnce(simulation, appIds, invoke, invocation);
      }
    }
    await simulation.run(startMs + longestMs);
    simulation.assertCrashed();
    if (made === died) throw new Error("The process of the function died in each attempt.");
    return { made, ...(await readRun(simulation)) };
  } finally {
    await platform.close();
  }
}

async function invokeOnce<Made>(
  { clock, startFunction }: Simulation,
  appIds: readonly string[],
  invoke: Invoke<Made>,
  invocation: FunctionInvocation,
): Promise<Made | typeof died> {
  const { process, built: services } = startFunction((edges) => ({
    ...createKitOwnServices(edges, appIds),
    acts: buildOwnActs("own-function", edges),
  }));
  const death = new Promise<typeof died>((resolve) => void process.onDeath(() => resolve(died)));
  return clock.outside(Promise.race([invoke(services, invocation), death]));
}

function startOf({ clock }: RunFunctionOptions) {
  return clock?.getTime() ?? Date.UTC(2026, 0, 1);
}

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
