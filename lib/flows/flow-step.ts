import {
  CallbackError,
  type DurableContext,
  type RetryDecision,
  StepSemantics,
} from "@aws/durable-execution-sdk-js";
import { causesOf } from "../base/errors.ts";
import { placeOf } from "../base/fault-place.ts";
import type { Log, LogFields } from "../base/log.ts";
import type { AttemptLimits } from "../effects/attempt-limits.ts";
import { classifyFailure } from "../effects/classify-failure.ts";
import { EventEndedError, ShadowEndedError, StoredResultError } from "../effects/effect-errors.ts";
import type { Pause } from "../effects/health/pause-settings.ts";
import { maxTries } from "../queue/lanes/progress.ts";
import { retryDelayMsAfter, retryDelayMsOf } from "../queue/lanes/retry-delay.ts";
import { checkpointBytes, FlowStepError, fromFlowText, maxValueBytes, toFlowText } from "./flow.ts";
import { operationName } from "./operation-name.ts";
import { type StepClock, stepLimitMs, withinTime } from "./step-time.ts";
import { passGate, type WayGate } from "./way-gate.ts";

export interface StepServices extends StepClock {
  readonly random: () => number;
  /** Maximum wait for an outage's end. */
  readonly maxWaitMs: number;
  readonly remainingMs: () => number;
  readonly log: Log;
  readonly names: LogFields;
  readonly gate?: WayGate;
  readonly pauses: FlowPauses;
  /** Called when an outage ends a try. */
  readonly noteWait: (sinceMs: number) => void;
}

/**
 * Both methods are repeatable.
 * @throws AwsCallError
 */
export interface FlowPauses {
  /** Returns the pause of the flow or its app; with `app`, only the app's. */
  current(of: "flow" | "app"): Promise<Pause | undefined>;
  /** Registers the flow to be woken at the pause's end; returns false if that is over. */
  enter(pause: Pause, callbackId: string, cameMs: number): Promise<boolean>;
}

interface StepHold {
  readonly of: "flow" | "app";
  /** Waits longer after the pause: other waiting work runs first. Default: 0. */
  readonly restSeconds?: number;
}

export interface StepTry {
  /** When the first try began. */
  readonly begunAt: number;
  /** `begunAt` is only a lower bound: the first try left no record. */
  readonly isGuessed: boolean;
  /** Ends with the try. */
  readonly limits: AttemptLimits;
}

export interface StepResult<T> {
  readonly value: T;
  readonly begunAt: number;
  /** When the step ended. */
  readonly at: number;
}

/** In case the flow was not woken: 6 h. */
const pauseLookSeconds = 6 * 60 * 60;
/** How long a process uses a pause that it read, and thus may find one that is over. */
const pausesFreshMs = 5_000;

/** Reserved to record a step's outcome. */
const marginMs = 1_000;
/** With less, a step begins in the next invocation. */
const leastMs = 8_000;

/**
 * Runs a step, and waits for the end of transient failures, at no cost. `work` may be retried after it was
 * carried out: it must look first, or be repeatable. Pauses do not count towards the maximum wait. The step
 * also fails, although carried out, if its value is not JSON or exceeds about 200 kB.
 * @param notBeforeMs lower bound of the begin, used if the first try left no record
 * @throws FlowStepError if it fails permanently, ShadowEndedError if it is only shown and has no stand-in
 */
export async function doStep<T>(
  context: DurableContext,
  name: string,
  work: (of: StepTry) => Promise<T>,
  services: StepServices,
  notBeforeMs: number,
  hold?: StepHold,
): Promise<StepResult<T>> {
  // Keeps the numbering of concurrent steps stable.
  const outcome = await context.runInChildContext(
    name,
    async (inner) => {
      let before: Before = { tries: 0, waits: 0, deaths: 0 };
      for (;;) {
        const isFirst = before.waits === 0;
        const label = isFirst ? name : `${name} (again ${before.waits})`;
        const current = await tryDurably(inner, label, services.gate, async (newCrashes) => {
          const deaths = before.deaths + newCrashes;
          if (deaths >= maxTries) return crashedTooOften;
          const known =
            newCrashes === 0 ? before : { begunAt: notBeforeMs, isGuessed: true, ...before, deaths };
          return tryOnce(name, work, known, services, hold);
        });
        if (current.kind === "held") {
          await waitInPause(inner, label, current, services);
          if (hold?.restSeconds !== undefined)
            await inner.wait(operationName(`after ${label}`), { seconds: hold.restSeconds });
          before = current;
          continue;
        }
        if (current.kind !== "again") return current;
        before = current;
        await inner.wait(operationName(`before ${name} again`), { seconds: current.seconds });
      }
    },
    { virtualContext: true },
  );
  if (outcome.kind === "ended") throw new ShadowEndedError(outcome.what);
  if (outcome.kind === "failed") throw new FlowStepError(name, outcome.cause);
  return { value: fromFlowText(outcome.text), begunAt: outcome.begunAt, at: outcome.at };
}

interface Before {
  readonly begunAt?: number;
  readonly isGuessed?: boolean;
  readonly tries: number;
  readonly waits: number;
  readonly deaths: number;
  /** When it was last found paused. */
  readonly heldMs?: number;
  readonly pausedMs?: number;
}

type StepOutcome =
  | { readonly kind: "done"; readonly text: string; readonly begunAt: number; readonly at: number }
  | ({ readonly kind: "again"; readonly seconds: number; readonly cause: string } & Before)
  /** A pause prevented the try. */
  | ({
      readonly kind: "held";
      readonly pause: Pause;
      readonly heldMs: number;
      readonly cause: string;
    } & Before)
  | { readonly kind: "failed"; readonly cause: string }
  /** In shadow nothing is done, and the flow cannot continue without a result. */
  | { readonly kind: "ended"; readonly what: string };

/** The pause's end completes a callback. */
async function waitInPause(
  context: DurableContext,
  label: string,
  { pause, heldMs, waits }: Extract<StepOutcome, { kind: "held" }>,
  { gate, pauses }: StepServices,
) {
  const [woken, callbackId] = await context.createCallback(operationName(`pause before ${label}`), {
    timeout: { seconds: pauseLookSeconds },
  });
  // Its time-out must not be an unhandled rejection.
  const isWoken = woken.then(ignore, (error: unknown) => {
    if (!(error instanceof CallbackError)) throw error;
  });
  isWoken.catch(ignore);
  const enter = async () =>
    context.step(
      operationName(`wait for the end of the pause before ${label}`),
      async () =>
        pauses.enter(pause, callbackId, heldMs).then(
          (isWatched) => (isWatched ? "watched" : "over"),
          () => "failed",
        ),
      { retryStrategy },
    );
  const entered = await passGate(gate, enter).catch(() => "failed");
  if (entered === "watched") return isWoken;
  const waitMs = entered === "over" ? pausesFreshMs : retryDelayMsAfter(waits, 0);
  return context.wait(operationName(`before ${label} again`), { seconds: waitMs / 1000 });
}

function ignore() {}

/** The next invocation detects a crash; the fifth fails the step. */
async function tryDurably(
  context: DurableContext,
  label: string,
  gate: WayGate | undefined,
  attempt: (newCrashes: number) => Promise<StepOutcome>,
): Promise<StepOutcome> {
  const step = async () =>
    context.step(operationName(label), (of) => attempt(of.attempt - 1), {
      semantics: StepSemantics.AtMostOncePerRetry,
      retryStrategy,
    });
  try {
    return await passGate(gate, step);
  } catch {
    return crashedTooOften;
  }
}

function retryStrategy(_error: Error, count: number): RetryDecision {
  return { shouldRetry: count < maxTries, delay: { seconds: 1 } };
}

const crashedTooOften: StepOutcome = {
  kind: "failed",
  cause: `The process crashed ${maxTries} times during this step.`,
};

async function tryOnce<T>(
  name: string,
  work: (of: StepTry) => Promise<T>,
  earlier: Before,
  services: StepServices,
  hold: StepHold | undefined,
): Promise<StepOutcome> {
  const { now, remainingMs, pauses } = services;
  const { heldMs, pausedMs = 0, ...known } = earlier;
  // A pause before the first try does not count.
  const isWithin = heldMs !== undefined && known.begunAt !== undefined;
  const before = { ...known, pausedMs: isWithin ? pausedMs + now() - heldMs : pausedMs };
  const begunAt = before.begunAt ?? now();
  const waits = before.waits + 1;
  const leftMs = remainingMs();
  if (leftMs < leastMs) {
    // The wait suspends the flow.
    const seconds = Math.ceil(leftMs / 1000) + 1;
    return { ...before, waits, kind: "again", seconds, cause: "The invocation's time was nearly up." };
  }
  const limitMs = Math.min(stepLimitMs, leftMs - marginMs);
  try {
    const pause = hold && (await pauses.current(hold.of));
    if (pause !== undefined)
      return { ...before, waits, kind: "held", pause, heldMs: now(), cause: "It is paused." };
    const isGuessed = before.isGuessed === true;
    const value = await withinTime(limitMs, services, (limits) => work({ begunAt, isGuessed, limits }));
    return { kind: "done", text: toResultText(name, value), begunAt, at: now() };
  } catch (error) {
    if (error instanceof ShadowEndedError) return { kind: "ended", what: name };
    return toOutcome(error, { isGuessed: false, ...before, begunAt }, services);
  }
}

function toOutcome(
  error: unknown,
  before: Before & { readonly begunAt: number; readonly pausedMs: number },
  services: StepServices,
): StepOutcome {
  const { now, random, maxWaitMs, noteWait, log, names } = services;
  const isOver = causesOf(error).some((one) => one instanceof EventEndedError);
  const failure = isOver
    ? ({ kind: "later", retryAtMs: now(), cause: "Its time was up." } as const)
    : classifyFailure(error);
  const { cause } = failure;
  const tries = before.tries + (failure.kind === "ours" ? 1 : 0);
  const waits = before.waits + 1;
  const isPatient = failure.kind === "ours" || failure.kind === "limited";
  const isWaitOver = !isPatient && now() >= before.begunAt + before.pausedMs + maxWaitMs;
  const stack = failure.kind === "ours" ? placeOf(error) : undefined;
  const fields = { ...names, failure: failure.kind, tries, cause, stack };
  if (failure.kind === "permanent" || tries >= maxTries || isWaitOver) {
    log.error("a step of a flow failed permanently", fields);
    return { kind: "failed", cause };
  }
  log.warn("a step of a flow failed; it will be retried", fields);
  if (failure.kind === "outage") noteWait(before.begunAt + before.pausedMs);
  // Each retry is two of an execution's 3,000 operations: waits for a user's limit grow like all others.
  const waitMs =
    failure.kind === "later" ? failure.retryAtMs - now() : retryDelayMsOf(failure, waits, random(), waits);
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  return { ...before, kind: "again", seconds, cause, tries, waits };
}

/** @throws StoredResultError if it cannot be stored: the step was carried out */
function toResultText(name: string, value: unknown) {
  const effect = { name, id: name, of: "this flow" };
  const text = toText(value);
  if (text === undefined) throw new StoredResultError(effect, "not-json");
  const bytes = checkpointBytes(text);
  if (bytes <= maxValueBytes) return text;
  throw new StoredResultError(effect, "too-large", `${bytes} of ${maxValueBytes} bytes`);
}

function toText(value: unknown) {
  try {
    return toFlowText(value);
  } catch {
    return undefined;
  }
}
