import { CallbackError, type DurableContext, StepSemantics } from "@aws/durable-execution-sdk-js";
import { causesOf } from "../base/causes.ts";
import { placeOf } from "../base/fault-place.ts";
import type { Log, LogFields } from "../base/log.ts";
import { classifyFailure } from "../effects/classify-failure.ts";
import { EventEndedError, StoredResultError } from "../effects/effect-errors.ts";
import type { Pause } from "../effects/health/pause-settings.ts";
import { ShadowEndedError } from "../effects/shadow/shadow-ended-error.ts";
import { maxTries } from "../queue/lanes/progress.ts";
import { retryDelayMsAfter } from "../queue/lanes/retry-delay.ts";
import { FlowStepError } from "./flow.ts";
import { checkpointBytes, fromFlowText, maxValueBytes, toFlowText } from "./flow-value.ts";
import type { WayGate } from "./way-gate.ts";

/** What a step of a flow is done with. */
export interface StepServices {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly random: () => number;
  /** How long an illness of the world is waited for, in milliseconds. */
  readonly patienceMs: number;
  /** What is left of the invocation, in milliseconds. */
  readonly remainingMs: () => number;
  readonly log: Log;
  /** Names the flow in the log. */
  readonly names: LogFields;
  /** Of the way that the step is on; absent where there is but one. */
  readonly gate?: WayGate;
  readonly pauses: FlowPauses;
}

/** What keeps a flow from going on, though it could. Both throw AwsCallError; both may be repeated. */
export interface FlowPauses {
  /** Gives what the flow has to wait for the end of: its own pause or its app's, or its app's alone. */
  current(of: "flow" | "app"): Promise<Pause | undefined>;
  /** Has the flow woken when a pause is over; false where it is over already, and perhaps nobody wakes it. */
  enter(pause: Pause, callbackId: string, cameMs: number): Promise<boolean>;
}

/** What a step waits for before it begins. */
export interface StepHold {
  /** Whose pause. */
  readonly of: "flow" | "app";
  /** How long it is waited after the pause, so that what waited for its end, too, can go before. Default: not at all. */
  readonly restSeconds?: number;
}

/** One try's share of a step. */
export interface StepTry {
  /** When the step was first tried, in milliseconds since 1970. */
  readonly begunAt: number;
  /** The first try died and left no time: the step began no earlier, and perhaps later. */
  readonly isGuessed: boolean;
  /** Nothing is started after it, in milliseconds since 1970. */
  readonly deadlineMs: number;
}

export interface StepResult<T> {
  readonly value: T;
  readonly begunAt: number;
  /** When it was done, in milliseconds since 1970. */
  readonly at: number;
}

/** A flow in a pause looks on its own so often, should nobody have woken it: 6 h. */
const pauseLookSeconds = 6 * 60 * 60;
/** And so soon where it could not have itself woken. */
const pauseRetrySeconds = 15;

/** One step may take 30 s, as an event's trigger may. */
const stepLimitMs = 30_000;
/** What is left of an invocation for writing down what became of a step. */
const marginMs = 3_000;
/** With less than that a step is not begun: it has its turn in the next invocation. */
const leastMs = 8_000;

/**
 * Does one step until it is done or cannot be: what is passing is waited for, at no cost, and each failure stands among the
 * flow's steps with its cause. `work` may be tried again after it was carried out, so it must look, or be repeatable.
 * A step that is not to begin, as its flow or app is paused, waits for the end of that, which takes nobody's patience.
 * It also cannot be done, although it was carried out, if its value is not JSON or larger than about 200 kB.
 * @param notBeforeMs milliseconds since 1970: the step cannot have begun earlier, also where its first try left no trace
 * @throws FlowStepError when it cannot be done, ShadowEndedError where only its showing was wanted and it has no stand-in
 */
export async function doStep<T>(
  context: DurableContext,
  name: string,
  work: (of: StepTry) => Promise<T>,
  services: StepServices,
  notBeforeMs: number,
  hold?: StepHold,
): Promise<StepResult<T>> {
  // Its tries are numbered among themselves, so that steps which go on side by side keep their places.
  const outcome = await context.runInChildContext(
    name,
    async (inner) => {
      let before: Before = { tries: 0, waits: 0, deaths: 0 };
      for (;;) {
        const isFirst = before.waits === 0;
        const label = isFirst ? name : `${name} (again ${before.waits})`;
        const current = await tryDurably(inner, label, services.gate, async (newDeaths) => {
          const deaths = before.deaths + newDeaths;
          if (deaths >= maxTries) return diedTooOften;
          const known =
            newDeaths === 0 ? before : { begunAt: notBeforeMs, isGuessed: true, ...before, deaths };
          return tryOnce(name, work, known, services, hold);
        });
        if (current.kind === "held") {
          await waitInPause(inner, label, current, services);
          if (hold?.restSeconds !== undefined)
            await inner.wait(`after ${label}`, { seconds: hold.restSeconds });
          before = current;
          continue;
        }
        if (current.kind !== "again") return current;
        before = current;
        await inner.wait(`before ${name} again`, { seconds: current.seconds });
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
  /** Tries that failed by our own fault. */
  readonly tries: number;
  readonly waits: number;
  /** Processes that died in it. */
  readonly deaths: number;
  /** When it was last found to be paused, in milliseconds since 1970. */
  readonly heldMs?: number;
  /** How long it was paused before. */
  readonly pausedMs?: number;
}

type StepOutcome =
  | { readonly kind: "done"; readonly text: string; readonly begunAt: number; readonly at: number }
  | ({ readonly kind: "again"; readonly seconds: number; readonly cause: string } & Before)
  /** It did not begin: something is paused. */
  | ({
      readonly kind: "held";
      readonly pause: Pause;
      readonly heldMs: number;
      readonly cause: string;
    } & Before)
  | { readonly kind: "failed"; readonly cause: string }
  /** In shadow nothing is done, and the flow cannot go on without. */
  | { readonly kind: "ended"; readonly what: string };

/**
 * Waits until the pause is over. It is woken by a callback, which whoever looks after the pause completes; what may go
 * wrong with that ends by itself.
 */
async function waitInPause(
  context: DurableContext,
  label: string,
  { pause, heldMs }: Extract<StepOutcome, { kind: "held" }>,
  { gate, pauses }: StepServices,
): Promise<void> {
  const [woken, callbackId] = await context.createCallback(`pause before ${label}`, {
    timeout: { seconds: pauseLookSeconds },
  });
  // Where nobody waits for it, its time-out is nobody's failure.
  const isWoken = woken.then(ignore, (error: unknown) => {
    if (!(error instanceof CallbackError)) throw error;
  });
  isWoken.catch(ignore);
  const enter = async () =>
    context.step(
      `wait for the end of the pause before ${label}`,
      async () =>
        pauses.enter(pause, callbackId, heldMs).then(
          (isWatched) => (isWatched ? "watched" : "over"),
          () => "failed",
        ),
      { retryStrategy: (_error, count) => ({ shouldRetry: count < maxTries, delay: { seconds: 1 } }) },
    );
  const entered = await (gate === undefined ? enter() : gate.pass(enter)).catch(() => "failed");
  if (entered === "watched") await isWoken;
  if (entered === "failed") await context.wait(`before ${label} again`, { seconds: pauseRetrySeconds });
}

function ignore(): void {}

/** A process that dies in a step is noticed by the next one; five deaths, and the step has failed. */
async function tryDurably(
  context: DurableContext,
  label: string,
  gate: WayGate | undefined,
  attempt: (newDeaths: number) => Promise<StepOutcome>,
): Promise<StepOutcome> {
  const step = async () =>
    context.step(label, (of) => attempt(of.attempt - 1), {
      semantics: StepSemantics.AtMostOncePerRetry,
      retryStrategy: (_error, count) => ({ shouldRetry: count < maxTries, delay: { seconds: 1 } }),
    });
  try {
    return await (gate === undefined ? step() : gate.pass(step));
  } catch {
    return diedTooOften;
  }
}

const diedTooOften: StepOutcome = {
  kind: "failed",
  cause: `The process ended ${maxTries} times while it was being done.`,
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
  const pausedSoFarMs = pausedMs + (heldMs === undefined ? 0 : now() - heldMs);
  const before: Before = pausedSoFarMs === 0 ? known : { ...known, pausedMs: pausedSoFarMs };
  const begunAt = before.begunAt ?? now();
  const leftMs = remainingMs();
  if (leftMs < leastMs) {
    // Longer than the invocation: this suspends the flow.
    const seconds = Math.ceil(leftMs / 1000) + 1;
    return {
      ...before,
      kind: "again",
      seconds,
      cause: "The invocation's time was nearly up.",
      waits: before.waits + 1,
    };
  }
  const deadlineMs = now() + Math.min(stepLimitMs, leftMs - marginMs);
  try {
    const pause = hold && (await pauses.current(hold.of));
    if (pause !== undefined) {
      return {
        ...before,
        kind: "held",
        pause,
        heldMs: now(),
        cause: "It is paused.",
        waits: before.waits + 1,
      };
    }
    const value = await work({ begunAt, isGuessed: before.isGuessed === true, deadlineMs });
    return { kind: "done", text: toResultText(name, value), begunAt, at: now() };
  } catch (error) {
    if (error instanceof ShadowEndedError) return { kind: "ended", what: name };
    return toOutcome(error, { isGuessed: false, ...before, begunAt }, services);
  }
}

function toOutcome(
  error: unknown,
  before: Before & { readonly begunAt: number },
  services: StepServices,
): StepOutcome {
  const { now, random, patienceMs, log, names } = services;
  const isOver = causesOf(error).some((one) => one instanceof EventEndedError);
  const failure = isOver
    ? ({ kind: "later", retryAtMs: now(), cause: "Its time was up." } as const)
    : classifyFailure(error);
  const { cause } = failure;
  const tries = before.tries + (failure.kind === "ours" ? 1 : 0);
  const waits = before.waits + 1;
  const isImpatient =
    failure.kind !== "ours" && now() >= before.begunAt + (before.pausedMs ?? 0) + patienceMs;
  const stack = failure.kind === "ours" ? placeOf(error) : undefined;
  const fields = { ...names, failure: failure.kind, tries, cause, ...(stack !== undefined && { stack }) };
  if (failure.kind === "permanent" || tries >= maxTries || isImpatient) {
    log.error("could not do a step of a flow, for good", fields);
    return { kind: "failed", cause };
  }
  log.warn("could not do a step of a flow yet", fields);
  const asked = failure.kind === "ill" ? Math.min(failure.retryAfterMs ?? 0, longestAskedMs) : 0;
  const waitMs =
    failure.kind === "later"
      ? failure.retryAtMs - now()
      : Math.max(asked, retryDelayMsAfter(waits, random()));
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  return { ...before, kind: "again", seconds, cause, tries, waits };
}

/** A destination may ask for more patience than is good for the flow; it is asked again then. */
const longestAskedMs = 900_000;

/** @throws StoredResultError if it cannot be kept: the step was carried out */
function toResultText(name: string, value: unknown): string {
  const effect = { name, id: name, of: "this flow" };
  const text = toText(value);
  if (text === undefined) throw new StoredResultError(effect, "not-json");
  const bytes = checkpointBytes(text);
  if (bytes <= maxValueBytes) return text;
  throw new StoredResultError(effect, "too-large", `${bytes} of ${maxValueBytes} bytes`);
}

function toText(value: unknown): string | undefined {
  try {
    return toFlowText(value);
  } catch {
    return undefined;
  }
}
