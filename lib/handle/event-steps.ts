import type { Failure } from "../effects/classify-failure.ts";
import type { AppHealth } from "../effects/health/app-health.ts";
import { type Counts, judgeOthers } from "../effects/health/breaker.ts";
import type { AttemptOutcome, DeadLetterReason } from "../queue/lanes/attempt.ts";
import { maxTries, type Progress } from "../queue/lanes/progress.ts";
import { retryDelayMsAfter } from "../queue/lanes/retry-delay.ts";
import { createAloneSteps } from "./alone-steps.ts";

export interface EventStepsOptions {
  readonly progress: Progress;
  readonly health: Pick<AppHealth, "countsOf">;
  /** Milliseconds since 1970: the start of its maximum wait. */
  readonly since: number;
  /** Milliseconds since 1970: the end of the maximum wait for an outage. */
  readonly maxWaitEndsAt: number;
  /** Then it is dead-lettered. Default: five. */
  readonly maxTries?: number | undefined;
  readonly now: () => number;
  readonly random: () => number;
}

export interface EventSteps {
  needsToRun(step: string): boolean;
  /** Possibly by its own fault. */
  hasFailedBefore(step: string): boolean;
  finish(step: string): void;
  /**
   * Returns the step's state.
   * @param isAlone refused although the rest of its app succeeds. Default: false
   */
  fail(step: string, failure: Failure, isAlone?: boolean): { isFinal: boolean; tries: number };
  /** With the next tries, in milliseconds since 1970. */
  waits(): readonly StepWait[];
  progressOf(steps: readonly string[]): Progress;
  /** It continues elsewhere with its state: finished here. */
  leave(step: string): void;
  outcome(): AttemptOutcome;
}

export interface StepWait {
  readonly step: string;
  readonly failure: Failure;
  readonly wakeAt: number;
}

export function createEventSteps(options: EventStepsOptions): EventSteps {
  const { progress, health, maxWaitEndsAt, now, random } = options;
  const triesInAll = options.maxTries ?? maxTries;
  const finished = new Set(progress.finished);
  const failed = new Map(Object.entries(progress.failed));
  const tries = new Map(Object.entries(progress.tries));
  const alone = createAloneSteps(progress, options);
  const pending = new Map<string, Progress["pending"][string]>();
  const waiting = new Map<string, Failure>();
  let cause = progress.cause ?? "";

  const countTry = (step: string): number => {
    const count = (tries.get(step) ?? 0) + 1;
    tries.set(step, count);
    return count + progress.deaths;
  };

  // Only now is it known whether other events' requests succeeded where this one's failed.
  for (const [step, failure] of Object.entries(progress.pending)) {
    const others = judgeOthers(failure, health.countsOf(failure.destination));
    if (others === "unknown") pending.set(step, failure);
    if (others === "ill") alone.forget(step);
    if (others === "well" && countTry(step) >= triesInAll) failed.set(step, { reason: "tries", cause });
  }

  const settle = (step: string, failure: Failure, isAlone: boolean): void => {
    // An open breaker sent no request: the destination's earlier error is the better cause.
    const isUnasked = failure.kind === "ill" && failure.isUnasked === true;
    if (!isUnasked || cause === "") cause = failure.cause;
    const triesAlone = failure.kind === "ill" && !isUnasked ? alone.note(step, isAlone) : undefined;
    if (failure.kind === "permanent") failed.set(step, { reason: "permanent", cause });
    else if (failure.kind === "ours") {
      if (countTry(step) >= triesInAll) failed.set(step, { reason: "tries", cause });
      else waiting.set(step, failure);
    } else if (triesAlone !== undefined) {
      tries.set(step, Math.max(tries.get(step) ?? 0, triesAlone));
      failed.set(step, { reason: "tries", cause });
    } else if (now() >= maxWaitEndsAt) failed.set(step, { reason: "patience", cause });
    else {
      waiting.set(step, failure);
      if (failure.kind !== "ill" || failure.isUnasked) return;
      const counts = health.countsOf(failure.destination);
      pending.set(step, pendingAfter(pending.get(step), failure.destination, counts));
    }
  };

  const waits = progress.waits + 1;
  const wakeAtFor = (step: string, failure: Failure): number => {
    if (failure.kind === "later") return failure.retryAtMs;
    return alone.wakeAtFor(step, now() + waitMsAfter(failure, waits, random()));
  };

  const after = (): Progress => ({
    deaths: progress.deaths,
    waits,
    tries: Object.fromEntries(tries),
    finished: [...finished],
    failed: Object.fromEntries(failed),
    pending: Object.fromEntries(pending),
    ...alone.kept(),
    ...(progress.heldBack === true && { heldBack: true }),
    cause,
  });

  return {
    needsToRun: (step) => !finished.has(step) && !failed.has(step),
    hasFailedBefore: (step) => Object.hasOwn(progress.tries, step) || Object.hasOwn(progress.pending, step),
    finish: (step) => {
      finished.add(step);
      pending.delete(step);
      alone.forget(step);
    },
    fail: (step, failure, isAlone = false) => {
      settle(step, failure, isAlone);
      return { isFinal: failed.has(step), tries: (tries.get(step) ?? 0) + progress.deaths };
    },
    waits: () => [...waiting].map(([step, failure]) => ({ step, failure, wakeAt: wakeAtFor(step, failure) })),
    progressOf: (steps) => {
      const of = <T>(known: ReadonlyMap<string, T>) =>
        Object.fromEntries([...known].filter(([step]) => steps.includes(step)));
      const [first] = steps.flatMap((step) => waiting.get(step)?.cause ?? []);
      const own = { tries: of(tries), failed: of(failed), pending: of(pending) };
      const done = steps.filter((step) => finished.has(step));
      return { ...after(), ...own, finished: done, cause: first ?? cause };
    },
    leave: (step) => {
      finished.add(step);
      for (const known of [waiting, pending, failed, tries]) known.delete(step);
      alone.forget(step);
    },
    outcome: () => {
      const wakeAts = [...waiting].map(([step, failure]) => wakeAtFor(step, failure));
      if (wakeAts.length > 0) return { kind: "wait", progress: after(), wakeAt: Math.max(...wakeAts) };
      const [first] = failed.values();
      if (first === undefined) return { kind: "done" };
      return { kind: "dead-letter", progress: after(), reason: toReason(first.reason), cause: first.cause };
    },
  };
}

/**
 * If too few other requests were observed since the earlier failure, the observation continues; this failure
 * is not one of them.
 */
function pendingAfter(
  earlier: Progress["pending"][string] | undefined,
  destination: string,
  { ok, bad }: Counts,
): Progress["pending"][string] {
  if (earlier?.destination !== destination) return { destination, ok, bad };
  return { destination, ok: earlier.ok, bad: Math.min(earlier.bad + 1, bad) };
}

function waitMsAfter(failure: Failure, waits: number, random: number): number {
  const asked = failure.kind === "ill" ? (failure.retryAfterMs ?? 0) : 0;
  // Five tries that fail by our fault take less than four minutes: events of the same trigger wait behind
  // them.
  const chance = failure.kind === "ours" ? random / 2 : random;
  return Math.max(Math.min(asked, longestAskedMs), retryDelayMsAfter(waits, chance));
}

/** Of the wait that a destination asks for; then it is asked again. */
const longestAskedMs = 900_000;

function toReason(reason: string): DeadLetterReason {
  return reason === "permanent" || reason === "patience" ? reason : "tries";
}
