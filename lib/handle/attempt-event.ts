import { causesOf } from "../base/causes.ts";
import { errorFields } from "../base/error-fields.ts";
import { placeOf } from "../base/fault-place.ts";
import { lazy } from "../base/lazy.ts";
import type { LogFields } from "../base/log.ts";
import { type AttemptScope, createAttemptScope } from "../effects/attempt-scope.ts";
import { classifyFailure } from "../effects/classify-failure.ts";
import { EventEndedError, EventTimeUpError, ShadowEndedError } from "../effects/effect-errors.ts";
import { namesSetFor, shadowSetFor } from "../effects/shadow/shadow-settings.ts";
import type { AppEvent } from "../events/app-event.ts";
import { nameOccurrence, type OccurrenceMemory } from "../events/occurrence.ts";
import { type EventFacts, type FlowWaker, flowsStep } from "../flows/wake-flows.ts";
import { type Attempt, type AttemptOutcome, eventLimitMs } from "../queue/lanes/attempt.ts";
import { conversationOf, type LaneRecord, laneNameOf } from "../queue/lanes/lane-record.ts";
import { pauseOfLane } from "../queue/lanes/pause-wait.ts";
import { maxTries, noProgress, type Progress } from "../queue/lanes/progress.ts";
import type { SideLanes } from "../queue/lanes/side-lane.ts";
import { factsOf, type MessageFacts, oldestMs } from "../queue/message-facts.ts";
import { passedOverReason, type SendDeadLetter } from "../queue/send-dead-letter.ts";
import {
  type AttemptSoFar,
  logBeside,
  moveBeside,
  stepOf,
  stepsOfTrigger,
  tookTheTime,
} from "./beside-lane.ts";
import type { WatchForCanary } from "./canary/watch-for-canary.ts";
import { createEventSteps } from "./event-steps.ts";
import { attemptNumber, logDisabledTriggers, nameAttempt } from "./log-attempt.ts";
import { handles, type TriggerTable } from "./on-trigger.ts";
import { createOnlyThisEvent, type OnlyThisEvent } from "./only-this-event.ts";
import { type ReadingServices, readEvents } from "./read-events.ts";
import { newSpanId, traceparentOf } from "./traceparent.ts";
import { type ContextServices, createTriggerContext } from "./trigger-context.ts";

export interface AttemptServices extends ContextServices, ReadingServices {
  readonly triggers: TriggerTable;
  /** The names of those in shadow, unless the app's run-time setting differs. */
  readonly shadowed: ReadonlySet<string>;
  /** The names of all triggers, including disabled ones. */
  readonly known: ReadonlySet<string>;
  /** The disabled triggers, for the log. Default: none. */
  readonly off?: TriggerTable | undefined;
  readonly occurrences: OccurrenceMemory;
  /** Where events of a paused trigger wait. */
  readonly sideLanes: SideLanes;
  /** Dead-letters events that a trigger skipped because they became too old. */
  readonly sendDeadLetter: SendDeadLetter;
  /** Default: no flow waits for events. */
  readonly waker?: FlowWaker | undefined;
  /** Default: there is no canary. */
  readonly isCanary?: WatchForCanary | undefined;
  readonly random: () => number;
  /** Maximum wait for the end of an outage, in milliseconds (`Attempt.since`). */
  readonly patienceMs: number;
  /** Also handles events received more than 30 days ago. */
  readonly actsOnOldEvents: boolean;
}

/** Reserved after an event's last request to record its outcome. */
const marginMs = 2_000;

/** Work for all triggers: parsing the message, storing phone calls. */
const readingStep = "reading";

/**
 * Tries to handle one event: parses it, then runs the matching triggers that are not done with it. Never
 * throws: failures become outcomes. Effects happen once, however often this is repeated.
 */
export async function attemptEvent(attempt: Attempt, services: AttemptServices): Promise<AttemptOutcome> {
  const { record, laneId, message, health } = attempt;
  const { now, random, sleep, log, patienceMs, actsOnOldEvents } = services;
  const progress = withReplay(attempt.progress, record);
  const facts = factsOf(message);
  const receivedAt = facts?.receivedAt ?? now();
  if (now() - receivedAt > oldestMs && !actsOnOldEvents) {
    return {
      kind: "dead-letter",
      progress,
      reason: "too-old",
      cause: "It was received more than 30 days ago.",
    };
  }
  if (progress.deaths >= maxTries) {
    const cause = `The process ended ${progress.deaths} times while it was being handled.`;
    return { kind: "dead-letter", progress, reason: "deaths", cause };
  }
  const patienceEndsAt = attempt.since + patienceMs;
  const { maxTries: triesInAll, since } = attempt;
  const isFresh = attempt.isFresh === true && Object.keys(services.triggers).length > 1;
  const steps = createEventSteps({
    ...{ progress, health, since, patienceEndsAt, maxTries: triesInAll, now, random },
  });
  const isHeldBack = progress.heldBack === true;
  const endsAt = now() + eventLimitMs - marginMs;
  const scope = createAttemptScope(conversationOf(attempt.ticket.lane), endsAt, now, { isHeldBack, isFresh });
  const begunAt = now();
  const isOnlyThisEvent = createOnlyThisEvent({
    ...{ health, scope },
    connectionOf: () => services.connectionOf(facts?.appId ?? attempt.ticket.appId),
  });
  const of = { handled: new Map(), events: [], ran: [], effects: [], woke: [] };
  const run: Run = { attempt, facts, services, steps, scope, isOnlyThisEvent, ...of };

  const timer = new AbortController();
  // Other triggers wait for a hanging handler for less than 30 s, including the time to continue without it.
  const limitMs = isFresh ? eventLimitMs - marginMs : eventLimitMs;
  const timeIsUp = sleep(limitMs, timer.signal).then(
    () => true,
    () => false,
  );
  const isOver = await Promise.race([handle(run).then(() => false), timeIsUp]);
  timer.abort();
  if (isOver) {
    const [waitedFor] = scope.waitsFor;
    fail(run, run.step ?? readingStep, facts?.trigger, new EventTimeUpError(eventLimitMs, waitedFor));
  }
  scope.end();

  const outcome = steps.outcome().kind === "wait" ? await moveBeside(run, isOver) : steps.outcome();
  if (outcome.kind === "done") {
    const { ran, effects, woke } = run;
    const ranBefore = ran.length + woke.length === 0 ? progress.finished.length : 0;
    const times = { sinceReceivedMs: now() - receivedAt, tookMs: now() - begunAt };
    const acted = {
      ...(ran.length > 0 && { ran }),
      ...(effects.length > 0 && { effects }),
      ...(woke.length > 0 && { woke }),
      ...(ranBefore > 0 && { ranBefore }),
    };
    log.info("handled an event", { ...namesOf(run), lane: laneNameOf(laneId), ...times, ...acted });
  } else if (outcome.kind === "wait") {
    const { wakeAt, progress: known } = outcome;
    log.debug("an event waits", { ...namesOf(run), lane: laneNameOf(laneId), wakeAt, cause: known.cause });
  }
  return outcome;
}

interface Run extends AttemptSoFar {
  /** The message's fields; undefined if it is not of this system. */
  readonly facts: MessageFacts | undefined;
  readonly services: AttemptServices;
  readonly scope: AttemptScope;
  events: readonly AppEvent[];
  readonly handled: Map<string, string>;
  readonly isOnlyThisEvent: OnlyThisEvent;
  step?: string;
  /** The triggers that ran in this attempt, and their finished effects. */
  readonly ran: string[];
  readonly effects: string[];
  /** The ids of the flows that the event woke in this attempt. */
  readonly woke: string[];
}

async function handle(run: Run): Promise<void> {
  const { steps, facts, services } = run;
  services.log.debug("began an event", { ...namesOf(run), laneId: run.attempt.laneId });
  try {
    const events = await readEvents(run.attempt, run.services);
    run.events = events;
    logRemovedTrigger(run);
    if (await isAboutCanary(events, run)) return;
    tellOfUnknownShadow(run);
    for (const event of events) {
      logDisabledTriggers(event, services.off, services.log, namesOf(run));
    }
    // Steps that failed before run last: if one hangs again, it takes no other step's time.
    for (const isAgain of [false, true]) for (const event of events) await actOn(event, isAgain, run);
  } catch (error) {
    if (steps.needsToRun(readingStep)) fail(run, readingStep, facts?.trigger, error);
  }
}

async function isAboutCanary([event]: readonly AppEvent[], { facts, services }: Run): Promise<boolean> {
  if (services.isCanary === undefined || event === undefined || facts === undefined) return false;
  return services.isCanary(event, facts);
}

/**
 * Runs every trigger that handles the event and is not done with it: those that did not fail before, or those
 * that did. A failing trigger does not stop the next one.
 */
async function actOn(event: AppEvent, isAgain: boolean, run: Run): Promise<void> {
  const { attempt, facts, services, steps, scope } = run;
  const { triggers, shadowed, occurrences, now } = services;
  const receivedAt = facts?.receivedAt ?? now();
  const appId = facts?.appId ?? event.head.appId ?? "";
  const factKey = lazy(() => nameOccurrence(event.head, receivedAt, occurrences));
  const shownKey = lazy(() => nameOccurrence(event.head, receivedAt, withoutWriting(occurrences)));
  for (const [triggerName, trigger] of Object.entries(triggers)) {
    const step = stepOf(event, triggerName);
    if (!isTheirs(attempt, triggerName) || !handles(trigger, event)) continue;
    const isShadowed =
      shadowSetFor(attempt.health.shadow, "trigger", triggerName) ?? shadowed.has(triggerName);
    if (!steps.needsToRun(step)) {
      if (!isShadowed) run.handled.set(step, triggerName);
      continue;
    }
    if (steps.hasFailedBefore(step) !== isAgain) continue;
    if (now() >= scope.deadlineMs) {
      // It has not begun, so it counts as no try and runs in the next attempt.
      steps.fail(step, tookTheTime(now()));
      continue;
    }
    run.step = step;
    if (!isShadowed) run.handled.set(step, triggerName);
    if (await isHeldUp(step, event, triggerName, run)) continue;
    const of = { event, appId, triggerName, receivedAt, isShadowed, scope };
    const names = { ...namesOf(run), trigger: event.trigger, step };
    const span = newSpanId(services.token);
    const begunAt = now();
    try {
      const { context, watch, doneEffects, becameTooOld, stoppedBy } = createTriggerContext(
        {
          ...of,
          factKey: isShadowed ? shownKey : factKey,
          ignoresAge: attempt.record.ignoresAge === true,
          attempt: attemptNumber(attempt),
          traceparent: traceparentOf(facts?.deliveryKey ?? attempt.record.messageId, span),
          health: attempt.health,
          names,
        },
        services,
      );
      run.ran.push(isShadowed ? `${triggerName} (shadow)` : triggerName);
      services.log.debug("began a trigger", { ...names, span, inShadow: isShadowed });
      await watch.run(() => trigger.run(context));
      if (!isShadowed) run.effects.push(...doneEffects().map((effect) => `${triggerName} ${effect}`));
      const stopped = stoppedBy();
      if (stopped !== undefined) throw stopped;
      if (becameTooOld() && !isShadowed) await keepPassedOver({ event, appId, receivedAt, triggerName }, run);
      steps.finish(step);
      services.log.debug("ended a trigger", { ...names, tookMs: now() - begunAt });
    } catch (error) {
      if (isShadowed) endInShadow(run, names, triggerName, error);
      else fail(run, step, event.trigger, error, await run.isOnlyThisEvent(error));
    }
  }
  await wakeFlows(event, isAgain, { appId, factKey, receivedAt }, run);
}

/**
 * Dead-letters an event that a trigger skipped because it became too old while it waited: an operator may
 * replay it regardless of its age. Before the step is finished, so that a crash repeats it.
 * @throws AwsCallError if the queue did not accept it
 */
async function keepPassedOver(
  of: Pick<EventFacts, "appId" | "receivedAt"> & {
    readonly event: AppEvent;
    readonly triggerName: string;
  },
  run: Run,
): Promise<void> {
  const { attempt, services } = run;
  const { event, appId, receivedAt, triggerName } = of;
  const { messageId, messageBody } = attempt.record;
  const { source, group } = attempt.ticket.lane;
  const hours = ((services.now() - receivedAt) / 3_600_000).toFixed(1);
  await services.sendDeadLetter({
    ...{ messageId, messageBody, source, group, appId, receivedAt, trigger: event.trigger },
    part: stepOf(event, triggerName),
    reason: passedOverReason,
    cause: `It waited for ${hours} hours, which is too long for the trigger ${triggerName} (maxAge).`,
    tries: 0,
    finished: stepsOfTrigger(triggerName, run).finished,
  });
  services.count("EventTooOld", { appId });
}

/**
 * Returns whether a step must wait before it begins: because its app is paused (the whole lane waits), or
 * because of its trigger, whose events wait beside the lane.
 */
async function isHeldUp(step: string, event: AppEvent, triggerName: string, run: Run): Promise<boolean> {
  const { attempt, services, steps } = run;
  try {
    const pause = await pauseOfLane(attempt.ticket.lane, attempt.health);
    if (pause !== undefined) {
      steps.fail(step, { kind: "later", retryAtMs: services.now(), cause: "It is paused." });
      return true;
    }
    if (attempt.ticket.lane.trigger !== undefined) return false;
    const { own, finished } = stepsOfTrigger(triggerName, run);
    const reason = await services.sideLanes.putBeside(attempt, triggerName, finished);
    if (reason === undefined) return false;
    // The whole delivery was moved there, so events derived from it are handled there too.
    for (const one of own) steps.finish(one);
    const cause = reason.kind === "behind" ? reason.cause : undefined;
    logBeside(reason.kind, step, run, cause === undefined ? {} : { cause });
  } catch (error) {
    fail(run, step, event.trigger, error);
  }
  return true;
}

/** A trigger's own lane is for that trigger alone. */
function isTheirs({ ticket: { lane } }: Attempt, triggerName: string): boolean {
  return lane.trigger === undefined || lane.trigger === triggerName;
}

/**
 * Last, because a trigger may just have started a flow that waits for the next event. Unfinished waking
 * continues beside the lane, whose other events do not wait for it.
 */
async function wakeFlows(
  event: AppEvent,
  isAgain: boolean,
  of: Pick<EventFacts, "appId" | "factKey" | "receivedAt">,
  run: Run,
): Promise<void> {
  const { attempt, steps, services, scope } = run;
  const { now } = services;
  const step = stepOf(event, flowsStep);
  if (!isTheirs(attempt, flowsStep)) return;
  if (!services.waker?.isListed(event.trigger) || !steps.needsToRun(step)) return;
  if (steps.hasFailedBefore(step) !== isAgain) return;
  run.step = step;
  const isBeside = attempt.ticket.lane.trigger === flowsStep;
  const goOnBeside = async (cause: string) => {
    const { own, finished } = stepsOfTrigger(flowsStep, run);
    const of = { finished, progress: noProgress, wakeAt: now(), room: undefined, hung: false };
    await services.sideLanes.moveBeside(attempt, { name: flowsStep, ...of });
    for (const one of own) steps.finish(one);
    services.log.warn("flows are woken beside the lane", { ...namesOf(run), step, cause });
  };
  try {
    if (!isBeside && (await putFlowsBeside(run))) return;
    const deadlineMs = isBeside ? scope.deadlineMs : Math.min(scope.deadlineMs, now() + wakingMs);
    const waking = services.waker.wake(
      event,
      { ...of, mayStartLate: () => attempt.health.mayHandleLate(), deadlineMs },
      (flowId) => {
        run.woke.push(flowId);
        services.log.info("woke a flow", { ...namesOf(run), trigger: event.trigger, step, flowId });
      },
    );
    const isDone = await (isBeside ? waking : withinMs(wakingMs, waking, services.sleep));
    if (isDone) steps.finish(step);
    else if (isBeside) steps.fail(step, { kind: "later", retryAtMs: now(), cause: "More flows wait." });
    else await goOnBeside("It takes too long.");
  } catch (error) {
    if (isBeside) return fail(run, step, event.trigger, error);
    await goOnBeside(classifyFailure(error).cause).catch((second: unknown) =>
      fail(run, step, event.trigger, second),
    );
  }
}

/** How long a lane waits for its event to wake flows: 2 s. Retries on a failing table take longer. */
const wakingMs = 2_000;

/** Returns false if the work takes longer; it then continues, and its error is ignored. */
async function withinMs(
  ms: number,
  work: Promise<boolean>,
  sleep: AttemptServices["sleep"],
): Promise<boolean> {
  const timer = new AbortController();
  const isSlow = sleep(ms, timer.signal).then(
    () => false,
    () => false,
  );
  try {
    return await Promise.race([work, isSlow]);
  } finally {
    timer.abort();
    work.catch(() => undefined);
  }
}

/** Keeps the order: later events wait behind an event that wakes flows beside the lane. */
async function putFlowsBeside(run: Run): Promise<boolean> {
  const { attempt, services, steps } = run;
  const { own, finished } = stepsOfTrigger(flowsStep, run);
  if ((await services.sideLanes.putBeside(attempt, flowsStep, finished)) === undefined) return false;
  for (const one of own) steps.finish(one);
  return true;
}

/** A trigger in shadow delays nothing: it is done even if it fails. */
function endInShadow(
  run: Run,
  names: LogFields & { step: string },
  triggerName: string,
  error: unknown,
): void {
  const { services, steps, scope } = run;
  if (scope.hasEnded()) return;
  steps.finish(names.step);
  if (causesOf(error).some((cause) => cause instanceof ShadowEndedError)) return;
  services.log.warn("a trigger failed in shadow", { ...names, ...errorFields(error) });
  services.count("TriggerFailedInShadow", { appId: names.appId ?? "", trigger: triggerName });
}

function tellOfUnknownShadow({ attempt: { health }, facts, services: { known, notices } }: Run): void {
  for (const name of namesSetFor(health.shadow, "trigger")) {
    if (!known.has(name)) notices.unknownShadow(facts?.appId ?? "", name);
  }
}

/** The event waited for a trigger that a deployment removed: nothing is left to do. */
function logRemovedTrigger(run: Run): void {
  const { trigger } = run.attempt.ticket.lane;
  if (trigger === undefined || trigger === flowsStep || Object.hasOwn(run.services.triggers, trigger)) return;
  run.services.log.warn("an event waited for a trigger that is not turned on any more", namesOf(run));
}

/** Shadow writes to no table: a fact whose key can recur is named by this delivery. */
function withoutWriting({ read }: OccurrenceMemory): OccurrenceMemory {
  return { read, claim: async (_name, receivedAt) => receivedAt };
}

/** Errors of handlers after the attempt was abandoned are ignored. */
function fail(
  run: Run,
  step: string,
  trigger: string | undefined,
  error: unknown,
  isOnlyThisEvent = false,
): void {
  const { services, steps, scope } = run;
  if (scope.hasEnded()) return;
  const isOver = causesOf(error).some((cause) => cause instanceof EventEndedError);
  const [waitedFor] = scope.waitsFor;
  const failure = classifyFailure(isOver ? new EventTimeUpError(eventLimitMs, waitedFor) : error);
  const { isFinal, tries } = steps.fail(step, failure, isOnlyThisEvent);
  const stack = failure.kind === "ours" ? placeOf(error) : undefined;
  const fields = {
    ...namesOf(run),
    ...(trigger !== undefined && { trigger }),
    lane: laneNameOf(run.attempt.laneId),
    laneId: run.attempt.laneId,
    receivedAt: run.facts?.receivedAt,
    step,
    failure: failure.kind,
    tries,
    cause: failure.cause,
    ...(stack !== undefined && { stack }),
  };
  if (isFinal) services.log.error("could not handle an event, for good", fields);
  else services.log.warn("could not handle an event yet", fields);
}

function namesOf({ attempt, facts }: Run): LogFields {
  return nameAttempt(attempt, facts);
}

/** A replayed message skips finished steps unless the replay says otherwise. */
function withReplay(progress: Progress, { finished }: LaneRecord): Progress {
  if (finished === undefined) return progress;
  return { ...progress, finished: [...new Set([...finished, ...progress.finished])] };
}
