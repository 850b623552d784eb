import { sha256Hex } from "../base/digest.ts";
import { causesOf } from "../base/errors.ts";
import { lazy } from "../base/lazy.ts";
import { withTimeout } from "../base/timers.ts";
import { type AttemptLimits, partOf } from "../effects/attempt-limits.ts";
import { EventTimeUpError, ShadowEndedError } from "../effects/effect-errors.ts";
import { runningWork } from "../effects/effect-services.ts";
import { forgetEndedWaits } from "../effects/health/destinations.ts";
import { outcomeFields } from "../effects/outcomes.ts";
import { shadowSetFor } from "../effects/shadow/shadow-settings.ts";
import type { AppEvent } from "../events/app-event.ts";
import { nameOccurrence, withoutWriting } from "../events/occurrence.ts";
import type { WakeContext } from "../flows/wake-flows.ts";
import { pauseOfLane } from "../queue/lanes/holds.ts";
import { passedOverReason, triggerOffReason } from "../queue/send-dead-letter.ts";
import {
  type AttemptRun,
  attemptNumber,
  failInShadow,
  failStep,
  hasCrashed,
  isInItsLane,
  noteHung,
  noteOutcome,
  stepOf,
  stepsOfTrigger,
} from "./attempt-run.ts";
import { appendIfWaiting, logInTriggerLane, tookTheTime } from "./move-to-trigger-lanes.ts";
import { handles, type Trigger } from "./on-trigger.ts";
import { createTriggerContext } from "./trigger-context.ts";
import { wakeWaitingFlows } from "./wake-waiting-flows.ts";

/**
 * Runs the triggers that did not fail before, or (`isAgain`) those that did. A failing trigger does not stop
 * the next one.
 */
export async function runTriggers(event: AppEvent, isAgain: boolean, run: AttemptRun): Promise<void> {
  const { attempt, facts, services, steps, limits } = run;
  const { triggers, shadowed, occurrences, now } = services;
  const receivedAt = facts?.receivedAt ?? now();
  const appId = facts?.appId ?? event.head.appId ?? "";
  const occurrenceKey = lazy(() => nameOccurrence(event.head, receivedAt, occurrences));
  // Shadow writes to no table, so this delivery names the occurrence.
  const shownKey = lazy(() => nameOccurrence(event.head, receivedAt, withoutWriting(occurrences)));
  const isInShadow = (name: string) =>
    shadowSetFor(attempt.health.shadow, "trigger", name) ?? shadowed.has(name);
  // Those in shadow run last: they must not take the time of those that act.
  const byShadow = Object.entries(triggers).toSorted(
    ([a], [b]) => Number(isInShadow(a)) - Number(isInShadow(b)),
  );
  for (const [triggerName, trigger] of byShadow) {
    const step = stepOf(event, triggerName);
    if (!isInItsLane(run, triggerName) || !handles(trigger, event)) continue;
    const isShadowed = isInShadow(triggerName);
    if (!steps.needsToRun(step)) {
      if (!isShadowed) run.ownSteps.set(step, triggerName);
      continue;
    }
    if (steps.hasFailedBefore(step) !== isAgain) continue;
    if (now() >= limits.deadlineMs) {
      // Does not count as a try.
      steps.fail(step, tookTheTime(now()));
      continue;
    }
    forgetEndedWaits(limits.waitsFor);
    run.step = step;
    run.inShadow = isShadowed ? triggerName : undefined;
    if (!isShadowed) run.ownSteps.set(step, triggerName);
    if (await isHeldUp(step, event, triggerName, run)) continue;
    if (hasCrashed(step, run)) {
      await attempt.health.noteTriggerHung(triggerName, limits.lane);
      const cause = "Attempts at it ended without a result.";
      if (isShadowed) failInShadow(run, step, event.trigger, new Error(cause));
      else steps.fail(step, { kind: "later", retryAtMs: now(), cause });
      continue;
    }
    await attempt.noteStep?.(step);
    const key = isShadowed ? shownKey : occurrenceKey;
    await runTrigger(
      { event, appId, triggerName, trigger, receivedAt, isShadowed, occurrenceKey: key },
      step,
      run,
    );
    if (limits.hasEnded()) return;
  }
  await wakeWaitingFlows(event, isAgain, { appId, occurrenceKey, receivedAt }, run);
}

interface TriggerStep extends Omit<WakeContext, "order" | "mayStartLate" | "deadlineMs"> {
  readonly event: AppEvent;
  readonly triggerName: string;
  readonly trigger: Trigger;
  readonly isShadowed: boolean;
}

type KeptStep = Pick<TriggerStep, "event" | "appId" | "receivedAt" | "triggerName">;

async function runTrigger(triggerStep: TriggerStep, step: string, run: AttemptRun) {
  const { attempt, facts, services, steps } = run;
  const { appId } = attempt.ticket;
  const { event, triggerName, isShadowed } = triggerStep;
  const limits = partOf(run.limits);
  const { log, now, token } = services;
  const names = { ...run.names, trigger: event.trigger, step };
  const span = newSpanId(token);
  const begunAt = now();
  const { context, watch, outcome, doneEffects, becameTooOld, stoppedBy } = createTriggerContext(
    {
      ...triggerStep,
      limits,
      ignoresAge: attempt.record.ignoresAge === true,
      attempt: attemptNumber(attempt),
      traceparent: traceparentOf(facts?.deliveryKey ?? attempt.record.messageId, span),
      health: attempt.health,
      names,
    },
    services,
  );
  const logEnd = () => {
    const tookMs = now() - begunAt;
    log.debug("ended a trigger", { ...names, tookMs, ...noteOutcome(run, step, outcome.fields()) });
  };
  try {
    await attempt.health.passTrigger(triggerName, limits);
    run.ran.push(isShadowed ? `${triggerName} (shadow)` : triggerName);
    // After a crash, the log must name the trigger of the next one.
    const level = attempt.progress.deaths > 0 ? "info" : "debug";
    log[level]("began a trigger", { ...names, span, inShadow: isShadowed });
    let hasReturned = false;
    try {
      const work = () =>
        watch.run(() => runningWork.run(names, async () => triggerStep.trigger.run(context)));
      await withinItsLimit(work, triggerName, limits, run);
      hasReturned = stoppedBy() === undefined && !limits.hasEnded();
    } finally {
      // A run that a rule ended says nothing about how long others take.
      if (hasReturned && outcome.isOwnEnd()) services.hangs.noteEnded(appId, triggerName, now() - begunAt);
      await noteEnd(triggerName, hasReturned, limits, run);
    }
    if (limits.hasEnded()) return;
    if (!isShadowed) run.effects.push(...doneEffects().map((effect) => `${triggerName} ${effect}`));
    const stopped = stoppedBy();
    if (stopped !== undefined) throw stopped;
    if (becameTooOld() && !isShadowed) await keepPassedOver(triggerStep, names, run);
    if (attempt.progress.heldBack === true && !isShadowed && outcome.isOwnEnd())
      await endHold(attempt.health, triggerName);
    steps.finish(step);
    logEnd();
  } catch (error) {
    if (!isShadowed) return failStep(run, step, event.trigger, error, await run.isOnlyThisEvent(error));
    if (!causesOf(error).some((cause) => cause instanceof ShadowEndedError))
      return failInShadow(run, step, event.trigger, error);
    if (limits.hasEnded()) return;
    steps.finish(step);
    logEnd();
  }
}

/** Also after a handler without effects. */
async function endHold(health: AttemptRun["attempt"]["health"], triggerName: string): Promise<void> {
  health.noteSuccess();
  await health.noteHeldBackDone(triggerName);
}

/**
 * Ends a trigger early that hung lately, if it takes much longer than it ever did. Its event goes on in the
 * trigger's lane, with an event's whole time. It may wait for a host longer.
 * @throws EventTimeUpError
 */
async function withinItsLimit(
  work: () => Promise<void>,
  triggerName: string,
  limits: AttemptLimits,
  run: AttemptRun,
): Promise<void> {
  const { attempt, services, step = "" } = run;
  if (attempt.ticket.lane.trigger !== undefined) return work();
  const limit = services.hangs.limitOf(
    attempt.ticket.appId,
    triggerName,
    attempt.health.lastHangOf(triggerName),
  );
  if (limit === undefined || services.now() + limit.limitMs >= limits.deadlineMs) return work();
  const { limitMs, isGuess } = limit;
  const running = work();
  await withTimeout(
    () => running,
    limitMs,
    () => {
      if (limits.waitsFor.size > 0) return running;
      run.cut.set(step, isGuess);
      limits.end();
      throw new EventTimeUpError(limitMs, undefined);
    },
    services.sleep,
  );
}

async function noteEnd(
  triggerName: string,
  hasReturned: boolean,
  limits: AttemptLimits,
  run: AttemptRun,
): Promise<void> {
  const { attempt, services, step = "" } = run;
  // A guess must not open the breaker of a trigger that is only slow.
  if (run.limits.hasEnded() || run.cut.get(step) === true) return;
  const isInTime = hasReturned || (!limits.hasEnded() && services.now() < limits.deadlineMs);
  await (isInTime ? attempt.health.noteTriggerEnded(triggerName) : noteHung(triggerName, run));
}

/**
 * Dead-letters an event that became too old while it waited. Runs before the step ends: a crash repeats it.
 * @throws AwsCallError
 */
async function keepPassedOver(kept: KeptStep, names: AttemptRun["names"], run: AttemptRun) {
  const hours = ((run.services.now() - kept.receivedAt) / 3_600_000).toFixed(1);
  const cause = `It waited for ${hours} hours, which is too long for the trigger ${kept.triggerName} (maxAge).`;
  await keepForOperator(kept, passedOverReason, cause, run);
  run.services.log.warn("an event waited too long for a trigger", names);
  run.services.count("EventTooOld", { appId: kept.appId });
}

/** Dead-letters an event that waited for a trigger that is off now: another version may have it. */
export async function keepForTrigger(event: AppEvent, triggerName: string, run: AttemptRun): Promise<void> {
  const { facts, services, steps } = run;
  const appId = facts?.appId ?? event.head.appId ?? "";
  const kept = { event, appId, receivedAt: facts?.receivedAt ?? services.now(), triggerName };
  const cause = `It waited for the trigger ${triggerName}, which is not turned on any more.`;
  try {
    await keepForOperator(kept, triggerOffReason, cause, run);
    steps.finish(stepOf(event, triggerName));
    noteOutcome(run, stepOf(event, triggerName), outcomeFields("off"));
  } catch (error) {
    failStep(run, stepOf(event, triggerName), event.trigger, error);
  }
}

async function keepForOperator(
  { event, appId, receivedAt, triggerName }: KeptStep,
  reason: string,
  cause: string,
  run: AttemptRun,
) {
  const { attempt, services } = run;
  const { messageId, messageBody } = attempt.record;
  const { source, group } = attempt.ticket.lane;
  const { finished } = stepsOfTrigger(triggerName, run);
  await services.sendDeadLetter({
    messageId,
    messageBody,
    source,
    group,
    appId,
    receivedAt,
    trigger: event.trigger,
    part: stepOf(event, triggerName),
    reason,
    cause,
    tries: 0,
    finished: [...new Set([...attempt.progress.finished, ...finished])],
  });
}

async function isHeldUp(step: string, event: AppEvent, triggerName: string, run: AttemptRun) {
  const { attempt, services, steps } = run;
  try {
    const pause = await pauseOfLane(attempt.ticket.lane, attempt.health);
    if (pause !== undefined) {
      steps.fail(step, { kind: "later", retryAtMs: services.now(), cause: "It is paused." });
      return true;
    }
    if (attempt.ticket.lane.trigger !== undefined) return false;
    const reason = await appendIfWaiting(triggerName, run);
    if (reason === undefined) return false;
    logInTriggerLane(reason.kind, step, run, reason.kind === "behind" ? reason : {});
  } catch (error) {
    failStep(run, step, event.trigger, error);
  }
  return true;
}

/**
 * Links a request to its event and trigger. The trace id is a digest: an occurrence's key contains users'
 * ids. Not sampled: requests no recording.
 * @see https://www.w3.org/TR/trace-context/#traceparent-header-field-values
 */
export function traceparentOf(deliveryKey: string, spanId: string): string {
  return `00-${traceIdOf(deliveryKey)}-${spanId}-00`;
}

export function traceIdOf(deliveryKey: string): string {
  return sha256Hex(deliveryKey).slice(0, 32);
}

/** Returns 16 hexadecimal digits. */
export function newSpanId(token: () => string): string {
  return sha256Hex(token()).slice(0, 16);
}
