import type { Failure } from "../effects/classify-failure.ts";
import type { AppHealth } from "../effects/health/app-health.ts";
import { type Counts, judgeOthers } from "../effects/health/breaker.ts";
import type { AttemptOutcome, DeadLetterReason } from "../queue/lanes/lane-services.ts";
import { maxTries, type Progress, refusedAlone } from "../queue/lanes/progress.ts";
import { retryDelayMsOf } from "../queue/lanes/retry-delay.ts";

export interface StepProgressOptions {
  readonly progress: Progress;
  readonly health: Pick<AppHealth, "countsOf">;
  readonly since: number;
  readonly maxWaitEndsAt: number;
  readonly maxTries: number;
  readonly now: () => number;
  readonly random: () => number;
}

export interface StepWait {
  readonly step: string;
  readonly failure: Failure;
  readonly wakeAt: number;
}

interface State {
  readonly finished: Set<string>;
  readonly failed: Map<string, Progress["failed"][string]>;
  readonly tries: Map<string, number>;
  readonly alone: AloneSteps;
  readonly pending: Map<string, Progress["pending"][string]>;
  readonly waiting: Map<string, Failure>;
  cause: string;
  deaths: number;
  isHeldBack: boolean;
}

/**
 * Decides what follows from the failures of an event's steps. A step whose request failed is *pending* until
 * other events' requests to the host show whether the host is unhealthy or only this event is refused; it is
 * *alone* while the platform refuses it although the app's other requests succeed.
 */
export type StepProgress = ReturnType<typeof createStepProgress>;

export function createStepProgress(options: StepProgressOptions) {
  const { progress, now, random } = options;
  const state = stateFrom(options);
  const { finished, failed, tries, alone, pending, waiting } = state;
  const waits = progress.waits + 1;
  const wakeAtFor = (step: string, failure: Failure): number => {
    if (failure.kind === "later") return failure.retryAtMs;
    // Keeps five failing tries under four minutes: events of the same trigger wait behind them.
    const chance = failure.kind === "ours" ? random() / 2 : random();
    return alone.wakeAtFor(step, now() + retryDelayMsOf(failure, waits, chance));
  };
  const after = (): Progress => ({
    deaths: state.deaths,
    waits,
    tries: Object.fromEntries(tries),
    finished: [...finished],
    failed: Object.fromEntries(failed),
    pending: Object.fromEntries(pending),
    waiting: othersThatWait([...waiting.keys()], state),
    ...alone.kept(),
    ...(state.isHeldBack && { heldBack: true }),
    cause: state.cause,
  });

  return {
    needsToRun: (step: string) => !finished.has(step) && !failed.has(step),
    hasFailedBefore: (step: string) =>
      Object.hasOwn(progress.tries, step) || Object.hasOwn(progress.pending, step),
    finish: (step: string): void => {
      finished.add(step);
      pending.delete(step);
      alone.forget(step);
    },
    /** @param isAlone true if the step is refused while the rest of the app succeeds */
    fail: (step: string, failure: Failure, isAlone = false) => {
      const isUnclear = failure.kind === "later" && failure.isUnclear === true;
      const cause = (isUnclear && progress.cause) || failure.cause;
      noteFailure(step, { ...failure, cause }, isAlone, state, options);
      return { isFinal: failed.has(step), tries: (tries.get(step) ?? 0) + progress.deaths, cause };
    },
    /** Delays what would be dead-lettered. Each failed step gets all its tries again. */
    holdBack: (retryAtMs: number): void => holdBack(state, retryAtMs),
    waits: (): readonly StepWait[] =>
      [...waiting].map(([step, failure]) => ({ step, failure, wakeAt: wakeAtFor(step, failure) })),
    progressOf: (steps: readonly string[]): Progress => ({
      ...after(),
      ...ofSteps(steps, state),
      waiting: othersThatWait(steps, state),
    }),
    /** Removes a step that continues in its trigger lane. */
    leave: (step: string): void => {
      finished.add(step);
      for (const known of [waiting, pending, failed, tries]) known.delete(step);
      alone.forget(step);
    },
    outcome: (): AttemptOutcome => {
      const wakeAts = [...waiting].map(([step, failure]) => wakeAtFor(step, failure));
      if (wakeAts.length > 0) return { kind: "wait", progress: after(), wakeAt: Math.max(...wakeAts) };
      const [first] = failed.values();
      if (first === undefined) return { kind: "done" };
      return { kind: "dead-letter", progress: after(), reason: toReason(first.reason), cause: first.cause };
    },
  };
}

function holdBack(state: State, retryAtMs: number): void {
  for (const [step, { cause }] of state.failed) {
    state.waiting.set(step, { kind: "later", retryAtMs, cause, isHeldBack: true });
    state.tries.delete(step);
  }
  state.failed.clear();
  state.deaths = 0;
  state.isHeldBack = true;
}

function othersThatWait(steps: readonly string[], { tries, pending, waiting }: State) {
  const others = steps.filter((step) => waiting.has(step) && !tries.has(step) && !pending.has(step));
  return others.length > 0 ? others : undefined;
}

function ofSteps(steps: readonly string[], { finished, failed, tries, pending, waiting, cause }: State) {
  const entriesOf = <T>(known: ReadonlyMap<string, T>) =>
    Object.fromEntries([...known].filter(([step]) => steps.includes(step)));
  const [first] = steps.flatMap((step) => waiting.get(step)?.cause ?? []);
  return {
    tries: entriesOf(tries),
    failed: entriesOf(failed),
    pending: entriesOf(pending),
    cause: first ?? cause,
    finished: steps.filter((step) => finished.has(step)),
  };
}

function stateFrom(options: StepProgressOptions): State {
  const { progress, health } = options;
  const state: State = {
    finished: new Set(progress.finished),
    failed: new Map(Object.entries(progress.failed)),
    tries: new Map(Object.entries(progress.tries)),
    alone: createAloneSteps(progress, options),
    pending: new Map(),
    waiting: new Map(),
    cause: progress.cause ?? "",
    deaths: progress.deaths,
    isHeldBack: progress.heldBack === true,
  };
  // Only now is it known whether other events' requests succeeded.
  for (const [step, failure] of Object.entries(progress.pending)) {
    const others = judgeOthers(failure, health.countsOf(failure.destination));
    if (others === "unknown") state.pending.set(step, failure);
    if (others === "unhealthy") state.alone.forget(step);
    // All five tries, whatever was given up before: it may be an outage.
    if (others === "healthy" && !failure.isRateLimit && countTry(step, state, progress, maxTries))
      state.failed.set(step, { reason: refusedAlone, cause: state.cause });
  }
  return state;
}

/** Returns whether it was the last try. */
function countTry(step: string, { tries }: State, { deaths }: Progress, most: number): boolean {
  const count = (tries.get(step) ?? 0) + 1;
  tries.set(step, count);
  return count + deaths >= most;
}

function noteFailure(
  step: string,
  failure: Failure,
  isAlone: boolean,
  state: State,
  options: StepProgressOptions,
): void {
  const { failed, waiting, alone, tries, pending } = state;
  // An open breaker sent no request, so the earlier error is the better cause.
  const isUnasked = failure.kind === "outage" && failure.isUnasked === true;
  if (!isUnasked || state.cause === "") state.cause = failure.cause;
  const fail = (reason: string) => void failed.set(step, { reason, cause: state.cause });
  const triesAlone =
    failure.kind === "outage" && !isUnasked ? alone.note(step, isAlone, failure.isRefused) : undefined;
  if (failure.kind === "permanent") fail("permanent");
  else if (failure.kind === "ours") {
    if (countTry(step, state, options.progress, options.maxTries)) fail("tries");
    else waiting.set(step, failure);
  } else if (triesAlone !== undefined) {
    tries.set(step, Math.max(tries.get(step) ?? 0, triesAlone));
    fail(refusedAlone);
  } else if (failure.kind !== "limited" && options.now() >= options.maxWaitEndsAt) fail("patience");
  else {
    waiting.set(step, failure);
    if (failure.kind !== "outage" || failure.isUnasked) return;
    const counts = options.health.countsOf(failure.destination);
    const known = pendingAfter(pending.get(step), failure.destination, counts);
    pending.set(step, { ...known, ...(failure.isRateLimit && { isRateLimit: true }) });
  }
}

/** After too few other requests since the earlier failure, the observation continues without this one. */
function pendingAfter(
  earlier: Progress["pending"][string] | undefined,
  destination: string,
  { ok, bad }: Counts,
): Progress["pending"][string] {
  if (earlier?.destination !== destination) return { destination, ok, bad };
  return { destination, ok: earlier.ok, bad: Math.min(earlier.bad + 1, bad) };
}

function toReason(reason: string): DeadLetterReason {
  return reason === "permanent" || reason === "patience" ? reason : "tries";
}

/** After this time, a step that is refused alone has failed: it is no sign of an outage. */
const maxAloneMs = 90 * 60_000;

type AloneSteps = ReturnType<typeof createAloneSteps>;

function createAloneSteps(
  progress: Pick<Progress, "alone">,
  { since, now }: { readonly since: number; readonly now: () => number },
) {
  const alone = new Map(Object.entries(progress.alone ?? {}));
  return {
    note: (step: string, isAlone: boolean, isRefused?: boolean): number | undefined => {
      const before = isRefused ? progress.alone?.[step] : alone.get(step);
      alone.delete(step);
      if (!isAlone) return undefined;
      const known = { since: Math.max(before?.since ?? now(), since), tries: (before?.tries ?? 0) + 1 };
      alone.set(step, known);
      return now() < known.since + maxAloneMs ? undefined : known.tries;
    },
    forget: (step: string) => alone.delete(step),
    wakeAtFor: (step: string, wakeAt: number): number => {
      const endsAt = (alone.get(step)?.since ?? 0) + maxAloneMs;
      return endsAt > now() ? Math.min(wakeAt, endsAt) : wakeAt;
    },
    kept: (): Pick<Progress, "alone"> => (alone.size === 0 ? {} : { alone: Object.fromEntries(alone) }),
  };
}
