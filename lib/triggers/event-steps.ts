import type { AppHealth } from "../health/app-health.ts";
import { judgeOthers } from "../health/breaker.ts";
import type { AttemptOutcome, BurialReason } from "../lanes/attempt.ts";
import { maxTries, type Progress } from "../lanes/progress.ts";
import { retryDelayMsAfter } from "../lanes/retry-delay.ts";
import type { Failure } from "./classify-failure.ts";

export interface EventStepsOptions {
  readonly progress: Progress;
  readonly health: Pick<AppHealth, "countsOf">;
  /** Milliseconds since 1970: an illness of the world is not waited for any longer. */
  readonly patienceEndsAt: number;
  readonly now: () => number;
  readonly random: () => number;
}

/** Keeps account of an event's steps in one attempt: which need not run, which failed, and what follows. */
export interface EventSteps {
  needsToRun(step: string): boolean;
  /** Tells whether an earlier attempt at it failed, by its own fault or perhaps. */
  hasFailedBefore(step: string): boolean;
  finish(step: string): void;
  /** Gives what is known of the step after this failure. */
  fail(step: string, failure: Failure): { isFinal: boolean; tries: number };
  outcome(): AttemptOutcome;
}

export function createEventSteps(options: EventStepsOptions): EventSteps {
  const { progress, health, patienceEndsAt, now, random } = options;
  const finished = new Set(progress.finished);
  const failed = new Map(Object.entries(progress.failed));
  const tries = new Map(Object.entries(progress.tries));
  const pending = new Map<string, Progress["pending"][string]>();
  const waiting = new Map<string, Failure>();
  let cause = progress.cause ?? "";

  const countTry = (step: string): number => {
    const count = (tries.get(step) ?? 0) + 1;
    tries.set(step, count);
    return count + progress.deaths;
  };

  // Only now is it known whether the neighbours' requests succeeded where the event's failed.
  for (const [step, failure] of Object.entries(progress.pending)) {
    const others = judgeOthers(failure, health.countsOf(failure.destination));
    if (others === "unknown") pending.set(step, failure);
    if (others === "well" && countTry(step) >= maxTries) failed.set(step, { reason: "tries", cause });
  }

  const settle = (step: string, failure: Failure): void => {
    cause = failure.cause;
    if (failure.kind === "permanent") failed.set(step, { reason: "permanent", cause });
    else if (failure.kind === "ours") {
      if (countTry(step) >= maxTries) failed.set(step, { reason: "tries", cause });
      else waiting.set(step, failure);
    } else if (now() >= patienceEndsAt) failed.set(step, { reason: "patience", cause });
    else {
      waiting.set(step, failure);
      if (failure.kind !== "ill" || failure.isUnasked) return;
      const { destination } = failure;
      const counts = health.countsOf(destination);
      const earlier = pending.get(step);
      // Where too few others were heard of since the failure before, they are heard on; this failure is none of theirs.
      const isHeardOn = earlier?.destination === destination;
      const ok = isHeardOn ? earlier.ok : counts.ok;
      const bad = isHeardOn ? Math.min(earlier.bad + 1, counts.bad) : counts.bad;
      pending.set(step, { destination, ok, bad });
    }
  };

  const waits = progress.waits + 1;
  const wakeAtFor = (failure: Failure): number => {
    if (failure.kind === "later") return failure.retryAtMs;
    const asked = failure.kind === "ill" ? (failure.retryAfterMs ?? 0) : 0;
    return now() + Math.max(Math.min(asked, longestAskedMs), retryDelayMsAfter(waits, random()));
  };

  const after = (): Progress => ({
    deaths: progress.deaths,
    waits,
    tries: Object.fromEntries(tries),
    finished: [...finished],
    failed: Object.fromEntries(failed),
    pending: Object.fromEntries(pending),
    ...(progress.heldBack === true && { heldBack: true }),
    cause,
  });

  return {
    needsToRun: (step) => !finished.has(step) && !failed.has(step),
    hasFailedBefore: (step) => Object.hasOwn(progress.tries, step) || Object.hasOwn(progress.pending, step),
    finish: (step) => {
      finished.add(step);
      pending.delete(step);
    },
    fail: (step, failure) => {
      settle(step, failure);
      return { isFinal: failed.has(step), tries: (tries.get(step) ?? 0) + progress.deaths };
    },
    outcome: () => {
      if (waiting.size > 0) {
        const wakeAt = Math.max(...[...waiting.values()].map(wakeAtFor));
        return { kind: "wait", progress: after(), wakeAt };
      }
      const [first] = failed.values();
      if (first === undefined) return { kind: "done" };
      return { kind: "bury", progress: after(), reason: toReason(first.reason), cause: first.cause };
    },
  };
}

/** A destination may ask for more patience than is good for the lane; it is asked again then. */
const longestAskedMs = 900_000;

function toReason(reason: string): BurialReason {
  return reason === "permanent" || reason === "patience" ? reason : "tries";
}
