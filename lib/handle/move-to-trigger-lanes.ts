import { errorFields } from "../base/describe-error.ts";
import type { Failure } from "../effects/classify-failure.ts";
import { deadLettering, destinationOfTrigger, heldBackOf, isHeldBack } from "../effects/health/breaker.ts";
import { outcomeFields } from "../effects/outcomes.ts";
import { type FlowWaker, flowsStep } from "../flows/wake-flows.ts";
import { pauseOfLane } from "../queue/lanes/holds.ts";
import type { Attempt, AttemptOutcome } from "../queue/lanes/lane-services.ts";
import { outageRoomOf } from "../queue/lanes/outage-room.ts";
import { triggerOfStep } from "../queue/lanes/progress.ts";
import { type TriggerLaneReason, triggerTicketOf } from "../queue/lanes/trigger-lanes.ts";
import {
  type AttemptRun,
  type AttemptServices,
  hasCrashed,
  noteOutcome,
  stepOf,
  stepsOfTrigger,
} from "./attempt-run.ts";
import { handles } from "./on-trigger.ts";
import type { StepWait } from "./step-progress.ts";

// A trigger that waits or fails must not delay the others: its events go into a trigger lane beside the
// conversation's lane. Steps of all triggers (parsing, flows, a crash) stay in the conversation's lane.

type AttemptSoFar = Pick<
  AttemptRun,
  "inShadow" | "attempt" | "names" | "steps" | "events" | "ownSteps" | "outcomes" | "cut"
> & {
  readonly services: Pick<AttemptServices, "triggers" | "triggerLanes" | "log" | "now"> & {
    readonly waker: Pick<FlowWaker, "isListed">;
  };
};

const triggerLaneTexts = {
  paused: "its trigger is paused",
  hung: "its trigger hung or crashed at an earlier event",
  behind: "earlier events of its trigger wait",
  waits: "its trigger waits",
  failed: "its trigger failed",
} as const;

export function logInTriggerLane(
  why: keyof typeof triggerLaneTexts,
  step: string,
  run: AttemptSoFar,
  { cause, wakeAt }: { readonly cause?: string | undefined; readonly wakeAt?: number | undefined },
): void {
  const { attempt, names, services } = run;
  const laneId = triggerTicketOf(attempt.ticket, triggerOfStep(step)).lane.id;
  const text = triggerLaneTexts[why];
  const reason = why === "hung" || why === "behind" ? text : undefined;
  const waiting = { cause: [reason, cause].filter(Boolean).join(": "), untilMs: wakeAt };
  const outcome = why === "paused" ? outcomeFields("paused") : outcomeFields("waiting", waiting);
  const noted = why === "failed" ? {} : noteOutcome(run, step, outcome);
  services.log.info(`put an event beside its lane: ${text}`, {
    ...names,
    step,
    laneId,
    cause,
    wakeAt,
    ...noted,
  });
}

/**
 * The conversation's lane waits as a whole if its app is paused, a table or queue fails, or all triggers that
 * handle the event wait for one host: no trigger is then delayed by another's failure, and one lane costs
 * less.
 * @param isOver true if the event's time is up: triggers that did not run yet then run at once
 */
export async function moveToTriggerLanes(run: AttemptSoFar, isOver: boolean): Promise<AttemptOutcome> {
  const { attempt, names, steps, ownSteps: handled, services } = run;
  const { triggerLanes, log, now } = services;
  const { lane } = attempt.ticket;
  const waits = steps.waits().filter(({ step }) => handled.has(step));
  for (const { step, failure } of lane.trigger === undefined ? waits : steps.waits()) {
    if (isHeldBack(awaitedOf(step, failure) ?? "")) await attempt.health.noteHeldBack(triggerOfStep(step));
  }
  const isCut = isOver && hasMoreToDo(run);
  if (lane.trigger !== undefined || waits.length === 0 || (!isCut && shareOneOutage(waits, run)))
    return withSharedOutage(run);
  try {
    if ((await pauseOfLane(lane, attempt.health)) !== undefined) return steps.outcome();
    for (const [name, ofTrigger] of Map.groupBy(waits, ({ step }) => handled.get(step) ?? "")) {
      const { own, finished } = stepsOfTrigger(name, run);
      const failure = ofTrigger.find(({ failure: { kind } }) => kind === "ours") ?? ofTrigger[0];
      const isFailed = failure?.failure.kind === "ours";
      const hung =
        (isOver && isFailed && run.inShadow === undefined) ||
        own.some((step) => run.cut.has(step) || hasCrashed(step, run));
      const wakeAt = Math.max(...ofTrigger.map((one) => one.wakeAt));
      const progress = steps.progressOf(own);
      const room = sharedOutageOf(ofTrigger, attempt);
      await triggerLanes.move(attempt, { name, finished, progress, wakeAt, room, hung });
      for (const step of own) steps.leave(step);
      const { cause } = progress;
      logInTriggerLane(isFailed ? "failed" : "waits", own[0] ?? name, run, { cause, wakeAt });
    }
    if (isCut) steps.fail("the rest", tookTheTime(now()));
  } catch (error) {
    log.warn("could not put an event beside its lane; the lane waits", {
      ...names,
      ...errorFields(error),
    });
  }
  return steps.outcome();
}

function withSharedOutage({ steps, attempt }: AttemptSoFar): AttemptOutcome {
  const outcome = steps.outcome();
  const room = outcome.kind === "wait" ? sharedOutageOf(steps.waits(), attempt) : undefined;
  return outcome.kind === "wait" && room !== undefined ? { ...outcome, room } : outcome;
}

/** From the third wait (45 s) on, lanes wait together for a destination that does not answer. */
const longWaits = 3;

/**
 * The outage of a destination whose breaker is open, or that answered no request since the step failed there,
 * or of a trigger whose events are held back. Other waits have their own times. A host's reads and writes
 * usually recover together, so the first stands for both.
 */
function sharedOutageOf(waits: readonly StepWait[], { health, progress }: Attempt) {
  const rooms = waits.map(({ step, failure }) => {
    const destination = awaitedOf(step, failure);
    if (destination === undefined) return undefined;
    const outage = health.outageOf(destination);
    if (outage === undefined) return undefined;
    const isUnanswered = progress.pending[step]?.ok === health.countsOf(destination).ok;
    const isKnown = outage.isOpen || isHeldBack(destination);
    if (!isKnown && !(isUnanswered && progress.waits + 1 >= longWaits)) return undefined;
    return { host: hostOf(destination), id: outageRoomOf({ destination, sinceMs: outage.sinceMs }) };
  });
  const [first] = rooms;
  return rooms.every((room) => room !== undefined && room.host === first?.host) ? first?.id : undefined;
}

/** A trigger that hung waits with its other events while its breaker is open. */
function awaitedOf(step: string, failure: Failure) {
  const trigger = triggerOfStep(step);
  if (failure.kind === "ours") return destinationOfTrigger(trigger);
  if (failure.kind === "later") return failure.isHeldBack === true ? heldBackOf(trigger) : undefined;
  if (failure.kind !== "outage") return undefined;
  return failure.destination === deadLettering ? heldBackOf(trigger) : failure.destination;
}

/** The trigger lane then also handles derived events. Returns undefined if the trigger may act. */
export async function appendIfWaiting(
  triggerName: string,
  run: AttemptRun,
): Promise<TriggerLaneReason | undefined> {
  const { attempt, services, steps } = run;
  const { own, finished } = stepsOfTrigger(triggerName, run);
  const reason = await services.triggerLanes.appendIfWaiting(attempt, triggerName, finished);
  if (reason !== undefined) for (const one of own) steps.finish(one);
  return reason;
}

export function tookTheTime(nowMs: number): Failure {
  return { kind: "later", retryAtMs: nowMs, cause: "An earlier step took the event's time." };
}

export function hasMoreToDo({
  events,
  ownSteps: handled,
  steps,
  services: { triggers, waker },
}: AttemptSoFar) {
  return events.some((event) => {
    const ofTriggers = Object.entries(triggers).filter(([, trigger]) => handles(trigger, event));
    const names = [
      ...ofTriggers.map(([name]) => name),
      ...(waker.isListed(event.trigger) ? [flowsStep] : []),
    ];
    return names.some((name) => steps.needsToRun(stepOf(event, name)) && !handled.has(stepOf(event, name)));
  });
}

/** True if the triggers wait for one host at most, and none failed by itself. */
function shareOneOutage(
  waits: readonly StepWait[],
  { ownSteps: handled, services: { triggers } }: AttemptSoFar,
) {
  const isDone = waits.length < handled.size;
  if (isDone || waits.some(({ failure }) => isOwnFault(failure))) return false;
  const hosts = new Set(
    waits.flatMap(({ failure }) => (failure.kind === "outage" ? [hostOf(failure.destination)] : [])),
  );
  // A trigger that alone handles the event shares the lane with other events' triggers.
  const own = new Set(handled.values());
  const isAlone = own.size === 1 && Object.keys(triggers).some((name) => !own.has(name));
  return hosts.size <= 1 && !isAlone;
}

function isOwnFault(failure: Failure) {
  return failure.kind === "ours" || (failure.kind === "later" && failure.isHeldBack === true);
}

function hostOf(destination: string) {
  return destination.replace(/ (read|write)$/, "");
}
