import { isRecord } from "../../lib/base/json.ts";
import { readPlainly } from "../../lib/chat/check-plain.ts";
import { InvalidInputError } from "../../lib/chat/errors.ts";
import type { FlowDefinition } from "../../lib/flows/define-flow.ts";
import type { Trigger, TriggerTable } from "../../lib/handle/on-trigger.ts";
import type {
  FunctionRequest,
  RequestOutcome,
  RunnableRequest,
  RunnableSchedule,
  RunRequestOptions,
  RunScheduleOptions,
  ScheduleOutcome,
} from "./function-run.ts";
import { MissedCrashError } from "./kit/crashes.ts";
import { runFlow } from "./run-flow.ts";
import type { FlowOutcome, RunFlowOptions, RunTriggerOptions, TriggerOutcome } from "./run-options.ts";
import { runRequest } from "./run-request.ts";
import { runSchedule } from "./run-schedule.ts";
import { runTrigger } from "./run-trigger.ts";
import type { EdgeCrash, StoryOptions } from "./story-options.ts";
import type { StoryOutcome } from "./story-outcome.ts";

type Outcome = Pick<StoryOutcome, "edges" | "crashed">;

/** A run with one crash of a process. */
export type CrashedRun<Of extends Outcome = TriggerOutcome> = Of & {
  /** Such as `after PUT /groups/lobby`. */
  readonly crash: string;
};

/** The options of `runAtEveryCrash`, besides those of one run. */
export interface EveryCrashOptions {
  /** The maximum real time of all runs, in milliseconds. Default: 55,000. */
  readonly limitMs?: number;
}

type Without<Options> = Omit<Options, "crash"> & EveryCrashOptions;

/**
 * Runs one event on one trigger like `runTrigger`, once for each place where a process can crash: before and
 * after each request and write of the consumer and of flows. Effects must happen once in every run.
 * Repeatable.
 * @throws the errors of `runTrigger` and `runFlow`, and Error if the runs take longer than `limitMs`
 * @example for (const { crash, sent } of await runAtEveryCrash(thanks, event)) expect([crash,
 * sent.length]).toEqual([crash, 1]);
 */
export async function runAtEveryCrash(
  trigger: Trigger | TriggerTable,
  body: object,
  options?: Without<RunTriggerOptions>,
): Promise<readonly CrashedRun[]>;
/**
 * Runs a flow like `runFlow`, once for each place where a process can crash: before and after each request
 * and write. Effects must happen once in every run. Repeatable.
 * @throws the errors of `runFlow`, and Error if the runs take longer than `limitMs`
 * @example for (const { crash, sent } of await runAtEveryCrash(escalate, { guid: "lobby" })) expect([crash,
 * sent.length]).toEqual([crash, 1]);
 */
export async function runAtEveryCrash<Input>(
  flow: FlowDefinition<Input>,
  input: Input,
  options?: Without<RunFlowOptions>,
): Promise<readonly CrashedRun<FlowOutcome>[]>;
/**
 * Runs a request like `runRequest`, once for each place where a process can crash; the caller then repeats
 * it. What `effectsOf` does must happen once in every run if the request has a key. Repeatable.
 * @throws the errors of `runRequest`, and Error if the runs take longer than `limitMs`
 */
export async function runAtEveryCrash(
  handler: RunnableRequest,
  request: FunctionRequest,
  options?: Without<RunRequestOptions>,
): Promise<readonly CrashedRun<RequestOutcome>[]>;
/**
 * Runs a schedule like `runSchedule`, once for each place where a process can crash; AWS then repeats it.
 * What `effectsOf` does must happen once in every run. Repeatable.
 * @throws the errors of `runSchedule`, and Error if the runs take longer than `limitMs`
 */
export async function runAtEveryCrash(
  handler: RunnableSchedule,
  options?: Without<RunScheduleOptions>,
): Promise<readonly CrashedRun<ScheduleOutcome>[]>;
export async function runAtEveryCrash(
  what: Runnable,
  subject?: unknown,
  given: EveryCrashOptions = {},
): Promise<readonly CrashedRun<Outcome>[]> {
  const { limitMs, options } = readLimit(isSchedule(what, subject) ? (subject ?? {}) : given);
  const endsAt = performance.now() + limitMs;
  const { run, isAlone } = readPlainly("runAtEveryCrash", "trigger", () => runnerOf(what, subject, options));
  const { edges } = await run({});
  const crashes = [...edges.keys()].flatMap((edge) => [
    { when: "before", edge } as const,
    { when: "after", edge } as const,
  ]);
  const runs: CrashedRun<Outcome>[] = [];
  const atOnce = isAlone ? 1 : flowsAtOnce;
  for (let from = 0; from < crashes.length; from += atOnce) {
    if (performance.now() > endsAt) {
      throw new Error(
        `runAtEveryCrash ended after ${limitMs} ms, with ${from} of ${crashes.length} crash points done. Give it more ` +
          "time by its option limitMs, and the test by its runner's own limit.",
      );
    }
    const some = crashes.slice(from, from + atOnce).map(async (crash) => {
      const outcome = await runWithCrash(run, crash);
      return outcome === undefined ? [] : [{ ...outcome, crash: outcome.crashed.join(", ") }];
    });
    runs.push(...(await Promise.all(some)).flat());
  }
  return runs;
}

/** Ways of a flow run side by side: a run may have an edge less. Undefined if no run came to this one. */
async function runWithCrash(run: Runner["run"], crash: EdgeCrash) {
  for (let tries = 1; tries <= mostTries; tries += 1) {
    try {
      return await run({ crash: [crash] });
    } catch (error) {
      if (!(error instanceof MissedCrashError)) throw error;
    }
  }
  return undefined;
}

const mostTries = 3;

type Runnable = Trigger | TriggerTable | FlowDefinition<unknown> | RunnableRequest | RunnableSchedule;

interface Runner {
  readonly run: (more: Pick<StoryOptions, "crash">) => Promise<Outcome>;
  readonly isAlone: boolean;
}

function readLimit(given: unknown): { readonly limitMs: number; readonly options: object } {
  return readPlainly("runAtEveryCrash", "options", () => {
    if (!isRecord(given)) throw new InvalidInputError("runAtEveryCrash", "options", "an object");
    const { limitMs = usualLimitMs, ...options } = given;
    if (typeof limitMs === "number" && limitMs > 0) return { limitMs, options };
    throw new InvalidInputError("runAtEveryCrash", "limitMs", "a number of milliseconds above 0");
  });
}

function runnerOf(what: Runnable, subject: unknown, options: object): Runner {
  const isAlone = !("flows" in options);
  if (isSchedule(what, subject))
    return { run: (more) => runSchedule(what, { ...options, ...more }), isAlone };
  if (isFunction(what))
    return { run: (more) => runRequest(what, Object(subject), { ...options, ...more }), isAlone };
  if (!isRecord(what))
    throw new InvalidInputError("runAtEveryCrash", "trigger", "what onTrigger or defineFlow made", !what);
  if (isFlow(what)) return { run: (more) => runFlow(what, subject, { ...options, ...more }), isAlone: false };
  return { run: (more) => runTrigger(what, Object(subject), { ...options, ...more }), isAlone };
}

function isFunction(what: Runnable): what is RunnableRequest & RunnableSchedule {
  return typeof what === "function" && "on" in what;
}

/** A request has a path; the options of a schedule's run have none. */
function isSchedule(what: Runnable, subject: unknown): what is RunnableSchedule {
  return isFunction(what) && typeof Object(subject).path !== "string";
}

function isFlow(what: Trigger | TriggerTable | FlowDefinition<unknown>): what is FlowDefinition<unknown> {
  return "misfitOf" in what && typeof what.misfitOf === "function";
}

/** Below the 60 s that `configFiles` gives a test. */
const usualLimitMs = 55_000;

/** The SDK ends an invocation in real time, which runs can await in parallel. */
const flowsAtOnce = 8;
