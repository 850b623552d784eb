import { causesOf } from "../base/causes.ts";
import { errorFields } from "../base/error-fields.ts";
import { placeOf } from "../base/fault-place.ts";
import { lazy } from "../base/lazy.ts";
import type { LogFields } from "../base/log.ts";
import { type AttemptScope, createAttemptScope } from "../effects/attempt-scope.ts";
import { classifyFailure } from "../effects/classify-failure.ts";
import { EventEndedError } from "../effects/effect-errors.ts";
import { EventTimeUpError } from "../effects/event-time-up-error.ts";
import { ShadowEndedError } from "../effects/shadow/shadow-ended-error.ts";
import { namesSetFor, shadowSetFor } from "../effects/shadow/shadow-settings.ts";
import type { AppEvent } from "../events/app-event.ts";
import { nameOccurrence, type OccurrenceMemory } from "../events/occurrence.ts";
import { type EventFacts, type FlowWaker, flowsStep } from "../flows/wake-flows.ts";
import { type Bury, passedOverReason } from "../queue/bury.ts";
import { type Attempt, type AttemptOutcome, eventLimitMs } from "../queue/lanes/attempt.ts";
import { conversationOf, type LaneRecord, laneNameOf } from "../queue/lanes/lane-record.ts";
import { pauseOfLane } from "../queue/lanes/pause-of-lane.ts";
import { maxTries, noProgress, type Progress } from "../queue/lanes/progress.ts";
import type { SideLanes } from "../queue/lanes/side-lane.ts";
import { factsOf, type MessageFacts, oldestMs } from "../queue/message-facts.ts";
import {
  type AttemptSoFar,
  moveBeside,
  stepOf,
  stepsOfTrigger,
  tellOfBeside,
  tookTheTime,
} from "./beside-lane.ts";
import type { WatchForCanary } from "./canary/watch-for-canary.ts";
import { createEventSteps } from "./event-steps.ts";
import { handles, type TriggerTable } from "./on-trigger.ts";
import { createOnlyThisEvent, type OnlyThisEvent } from "./only-this-event.ts";
import { type ReadingServices, readEvents } from "./read-events.ts";
import { attemptNumber, nameAttempt, tellTriggersThatAreOff } from "./tell-attempt.ts";
import { newSpanId, traceparentOf } from "./traceparent.ts";
import { type ContextServices, createTriggerContext } from "./trigger-context.ts";

export interface AttemptServices extends ContextServices, ReadingServices {
  readonly triggers: TriggerTable;
  /** The names of those that only show what they would do, unless it is set otherwise for the app. */
  readonly shadowed: ReadonlySet<string>;
  /** The names of all triggers, those that are not turned on included. */
  readonly known: ReadonlySet<string>;
  /** Those that are not turned on: the log tells whoever looks for a mistake. Default: none. */
  readonly off?: TriggerTable | undefined;
  readonly occurrences: OccurrenceMemory;
  /** Where the events of a trigger wait that is paused. */
  readonly sideLanes: SideLanes;
  /** Keeps what a trigger left alone because it became too old. */
  readonly bury: Bury;
  /** Default: no flow waits for anything. */
  readonly waker?: FlowWaker | undefined;
  /** Default: there is no canary. */
  readonly isCanary?: WatchForCanary | undefined;
  readonly random: () => number;
  /** How long an outage is waited for, in milliseconds (`Attempt.since`). */
  readonly patienceMs: number;
  /** Acts on events received more than 30 days ago, too. */
  readonly actsOnOldEvents: boolean;
}

/** What is left of an event's time after its last request, to write down what became of it. */
const marginMs = 2_000;

/** What is not one trigger's work: reading the message, remembering phone calls. */
const readingStep = "reading";

/**
 * Tries to handle one event: parse, then the triggers that match and are not done with it. Never throws: every failure
 * becomes an outcome. What triggers do through `effects` happens once, however often this is repeated.
 */
export async function attemptEvent(attempt: Attempt, services: AttemptServices): Promise<AttemptOutcome> {
  const { record, laneId, message, health } = attempt;
  const { now, random, sleep, log, patienceMs, actsOnOldEvents } = services;
  const progress = withReplay(attempt.progress, record);
  const facts = factsOf(message);
  const receivedAt = facts?.receivedAt ?? now();
  if (now() - receivedAt > oldestMs && !actsOnOldEvents) {
    return { kind: "bury", progress, reason: "too-old", cause: "It was received more than 30 days ago." };
  }
  if (progress.deaths >= maxTries) {
    const cause = `The process ended ${progress.deaths} times while it was being handled.`;
    return { kind: "bury", progress, reason: "deaths", cause };
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
  // Those behind a handler that hangs wait for less than 30 s, with what it takes to go on without it.
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
  /** What the message says of itself; undefined for what is no message of this system. */
  readonly facts: MessageFacts | undefined;
  readonly services: AttemptServices;
  readonly scope: AttemptScope;
  events: readonly AppEvent[];
  readonly handled: Map<string, string>;
  readonly isOnlyThisEvent: OnlyThisEvent;
  /** The step that is running now. */
  step?: string;
  /** The triggers that ran in this attempt, and the effects that they have done by now. */
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
    tellOfTriggerThatIsGone(run);
    if (await isAboutCanary(events, run)) return;
    tellOfUnknownShadow(run);
    for (const event of events) {
      tellTriggersThatAreOff(event, services.off, services.log, namesOf(run));
    }
    // What failed before goes last: should it hang again, it takes nobody else's time.
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
 * Runs every trigger that handles the event and is not done with it: those that did not fail before, or those that did. One
 * that fails does not keep the next from running.
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
      // It has not begun, so it is no try: it has its turn in the next attempt.
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
 * Puts an event among the dead letters that a trigger left alone because it became too old while it waited: an operator may
 * have it handled all the same. Before the step is finished, so that a process that dies does it again.
 * @throws AwsCallError when the queue did not take it
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
  await services.bury({
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
 * Tells whether a step has to wait before it begins: because somebody paused its app, whose lane waits as a whole, or because
 * of its trigger, whose events wait beside the lane.
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
    // The whole delivery went there: should something else be derived of it, that is handled there, too.
    for (const one of own) steps.finish(one);
    const cause = reason.kind === "behind" ? reason.cause : undefined;
    tellOfBeside(reason.kind, step, run, cause === undefined ? {} : { cause });
  } catch (error) {
    fail(run, step, event.trigger, error);
  }
  return true;
}

/** A lane beside another is one trigger's alone. */
function isTheirs({ ticket: { lane } }: Attempt, triggerName: string): boolean {
  return lane.trigger === undefined || lane.trigger === triggerName;
}

/**
 * Last: a trigger may just have started a flow that waits for what comes next. What cannot be done here and now goes on
 * beside the lane, whose other events do not wait for it.
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

/** So long a lane waits for its event to wake flows: 2 s. A table in trouble is asked for longer. */
const wakingMs = 2_000;

/** Returns false if it takes longer; it goes on then, and what it throws is nobody's. */
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

/** Keeps the order: what comes behind an event that wakes flows beside the lane waits there, too. */
async function putFlowsBeside(run: Run): Promise<boolean> {
  const { attempt, services, steps } = run;
  const { own, finished } = stepsOfTrigger(flowsStep, run);
  if ((await services.sideLanes.putBeside(attempt, flowsStep, finished)) === undefined) return false;
  for (const one of own) steps.finish(one);
  return true;
}

/** What only shows what it would do keeps nobody waiting: it is done, whatever it threw. */
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

/** A deployment took the trigger away for which the event waited: nothing is left to do. */
function tellOfTriggerThatIsGone(run: Run): void {
  const { trigger } = run.attempt.ticket.lane;
  if (trigger === undefined || trigger === flowsStep || Object.hasOwn(run.services.triggers, trigger)) return;
  run.services.log.warn("an event waited for a trigger that is not turned on any more", namesOf(run));
}

/** In shadow no table is written: a fact whose key can recur is named by this delivery of it. */
function withoutWriting({ read }: OccurrenceMemory): OccurrenceMemory {
  return { read, claim: async (_name, receivedAt) => receivedAt };
}

/** An attempt that was given up has had its say: what its handlers still throw changes nothing. */
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

/** A message that an operator sends again skips what was finished, unless it is told otherwise. */
function withReplay(progress: Progress, { finished }: LaneRecord): Progress {
  if (finished === undefined) return progress;
  return { ...progress, finished: [...new Set([...finished, ...progress.finished])] };
}
