import type { WatchForCanary } from "../canary/watch-for-canary.ts";
import { causesOf } from "../causes.ts";
import { EventEndedError } from "../effects/effect-errors.ts";
import { errorFields } from "../error-fields.ts";
import { factsOf, type MessageFacts, oldestMs } from "../event-queue/message-facts.ts";
import { nameFact, type OccurrenceMemory } from "../events/occurrence.ts";
import { placeOf } from "../fault-place.ts";
import type { EventFacts, FlowWaker } from "../flows/wake-flows.ts";
import { type Attempt, type AttemptOutcome, eventLimitMs, patienceBeginsAt } from "../lanes/attempt.ts";
import { type LaneRecord, laneNameOf } from "../lanes/lane-record.ts";
import { pauseOfLane } from "../lanes/pause-of-lane.ts";
import { maxTries, type Progress } from "../lanes/progress.ts";
import type { SideLanes } from "../lanes/side-lane.ts";
import { lazy } from "../lazy.ts";
import type { LogFields } from "../log.ts";
import { ShadowEndedError } from "../shadow/shadow-ended-error.ts";
import { namesSetFor, shadowSetFor } from "../shadow/shadow-settings.ts";
import type { AppEvent } from "./app-event.ts";
import { type AttemptScope, createAttemptScope } from "./attempt-scope.ts";
import { classifyFailure } from "./classify-failure.ts";
import { createEventSteps, type EventSteps } from "./event-steps.ts";
import { EventTimeUpError } from "./event-time-up-error.ts";
import { handles, type TriggerTable } from "./on-trigger.ts";
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
  /** Default: no flow waits for anything. */
  readonly waker?: FlowWaker | undefined;
  /** Default: there is no canary. */
  readonly isCanary?: WatchForCanary | undefined;
  readonly random: () => number;
  /** How long an illness of the world is waited for, in milliseconds (`patienceBeginsAt`). */
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
  const patienceEndsAt = patienceBeginsAt(receivedAt, attempt) + patienceMs;
  const steps = createEventSteps({ progress, health, patienceEndsAt, now, random });
  const scope = createAttemptScope(laneId, now() + eventLimitMs - marginMs, now, progress.heldBack === true);
  const begunAt = now();
  const run: Run = { attempt, facts, services, steps, scope, ran: [], effects: [] };

  const timer = new AbortController();
  const timeIsUp = sleep(eventLimitMs, timer.signal).then(
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

  const outcome = steps.outcome();
  if (outcome.kind === "done") {
    const { ran, effects } = run;
    const times = { sinceReceivedMs: now() - receivedAt, tookMs: now() - begunAt };
    const acted = { ...(ran.length > 0 && { ran }), ...(effects.length > 0 && { effects }) };
    log.info("handled an event", { ...namesOf(run), lane: laneNameOf(laneId), ...times, ...acted });
  } else if (outcome.kind === "wait") {
    const { wakeAt, progress: known } = outcome;
    log.debug("an event waits", { ...namesOf(run), lane: laneNameOf(laneId), wakeAt, cause: known.cause });
  }
  return outcome;
}

interface Run {
  readonly attempt: Attempt;
  /** What the message says of itself; undefined for what is no message of this system. */
  readonly facts: MessageFacts | undefined;
  readonly services: AttemptServices;
  readonly steps: EventSteps;
  readonly scope: AttemptScope;
  /** The step that is running now. */
  step?: string;
  /** The triggers that ran in this attempt, and the effects that they have done by now. */
  readonly ran: string[];
  readonly effects: string[];
}

async function handle(run: Run): Promise<void> {
  const { steps, facts, services } = run;
  services.log.debug("began an event", { ...namesOf(run), laneId: run.attempt.laneId });
  try {
    const events = await readEvents(run.attempt, run.services);
    if (await isAboutCanary(events, run)) return;
    tellOfUnknownShadow(run);
    for (const event of events) {
      tellTriggersThatAreOff(event, services.off, services.log, namesOf(run));
    }
    // What failed before goes last: should it hang again, it takes nobody else's time.
    for (const isAgain of [false, true]) for (const event of events) await actOn(event, events, isAgain, run);
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
async function actOn(
  event: AppEvent,
  events: readonly AppEvent[],
  isAgain: boolean,
  run: Run,
): Promise<void> {
  const { attempt, facts, services, steps, scope } = run;
  const { triggers, shadowed, occurrences, now } = services;
  const receivedAt = facts?.receivedAt ?? now();
  const appId = facts?.appId ?? event.head.appId ?? "";
  const factKey = lazy(() => nameFact(event.head, receivedAt, occurrences));
  const shownKey = lazy(() => nameFact(event.head, receivedAt, withoutWriting(occurrences)));
  for (const [triggerName, trigger] of Object.entries(triggers)) {
    const step = stepOf(event, triggerName);
    if (!isTheirs(attempt, triggerName) || !handles(trigger, event) || !steps.needsToRun(step)) continue;
    if (steps.hasFailedBefore(step) !== isAgain) continue;
    if (now() >= scope.deadlineMs) {
      // It has not begun, so it is no try: it has its turn in the next attempt.
      steps.fail(step, { kind: "later", retryAtMs: now(), cause: "An earlier step took the event's time." });
      continue;
    }
    run.step = step;
    if (await waitsForPause(step, { event, events, triggerName }, run)) continue;
    const isShadowed =
      shadowSetFor(attempt.health.shadow, "trigger", triggerName) ?? shadowed.has(triggerName);
    const of = { event, appId, triggerName, receivedAt, isShadowed, scope };
    const names = { ...namesOf(run), trigger: event.trigger, step };
    const span = newSpanId(services.token);
    const begunAt = now();
    try {
      const { context, watch, stoppedBy } = createTriggerContext(
        {
          ...of,
          factKey: isShadowed ? shownKey : factKey,
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
      if (!isShadowed) run.effects.push(...watch.done().map((effect) => `${triggerName} ${effect}`));
      const stopped = stoppedBy();
      if (stopped !== undefined) throw stopped;
      steps.finish(step);
      services.log.debug("ended a trigger", { ...names, tookMs: now() - begunAt });
    } catch (error) {
      if (isShadowed) endInShadow(run, names, triggerName, error);
      else fail(run, step, event.trigger, error);
    }
  }
  await wakeFlows(event, isAgain, { appId, factKey, receivedAt }, run);
}

/**
 * Tells whether a step has to wait because somebody paused its app or its trigger: the app's lane waits as a whole, a
 * trigger's events beside it.
 */
async function waitsForPause(
  step: string,
  of: { readonly event: AppEvent; readonly events: readonly AppEvent[]; readonly triggerName: string },
  run: Run,
): Promise<boolean> {
  const { attempt, services, steps } = run;
  const { event, events, triggerName } = of;
  try {
    const pause = await pauseOfLane(attempt.ticket.lane, attempt.health);
    if (pause !== undefined) {
      steps.fail(step, { kind: "later", retryAtMs: services.now(), cause: "It is paused." });
      return true;
    }
    if (attempt.ticket.lane.trigger !== undefined) return false;
    const others = [...Object.keys(services.triggers).filter((name) => name !== triggerName), flowsStep];
    const ofOthers = events.flatMap((one) => others.map((name) => stepOf(one, name)));
    const own = events.map((one) => stepOf(one, triggerName));
    const done = own.filter((one) => !steps.needsToRun(one));
    if (!(await services.sideLanes.putBeside(attempt, triggerName, [...ofOthers, ...done]))) return false;
    // The whole delivery went there: should something else be derived of it, that is handled there, too.
    for (const one of own) steps.finish(one);
    services.log.info("put an event beside its lane: its trigger is paused", { ...namesOf(run), step });
  } catch (error) {
    fail(run, step, event.trigger, error);
  }
  return true;
}

/** What is not a trigger's: waking flows. */
const flowsStep = "(flows)";

function stepOf(event: AppEvent, triggerName: string): string {
  return `${event.trigger} ${triggerName}`;
}

/** A lane beside another is one trigger's alone. */
function isTheirs({ ticket: { lane } }: Attempt, triggerName: string): boolean {
  return lane.trigger === undefined || lane.trigger === triggerName;
}

/** Last: a trigger may just have started a flow that waits for what comes next. */
async function wakeFlows(event: AppEvent, isAgain: boolean, of: EventFacts, run: Run): Promise<void> {
  const { steps, services } = run;
  const step = stepOf(event, flowsStep);
  if (run.attempt.ticket.lane.trigger !== undefined) return;
  if (!services.waker?.isListed(event.trigger) || !steps.needsToRun(step)) return;
  if (steps.hasFailedBefore(step) !== isAgain) return;
  run.step = step;
  try {
    await services.waker.wake(event, of);
    steps.finish(step);
  } catch (error) {
    fail(run, step, event.trigger, error);
  }
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

/** In shadow no table is written: a fact whose key can recur is named by this delivery of it. */
function withoutWriting({ read }: OccurrenceMemory): OccurrenceMemory {
  return { read, claim: async (_name, receivedAt) => receivedAt };
}

/** An attempt that was given up has had its say: what its handlers still throw changes nothing. */
function fail(run: Run, step: string, trigger: string | undefined, error: unknown): void {
  const { services, steps, scope } = run;
  if (scope.hasEnded()) return;
  const isOver = causesOf(error).some((cause) => cause instanceof EventEndedError);
  const [waitedFor] = scope.waitsFor;
  const failure = classifyFailure(isOver ? new EventTimeUpError(eventLimitMs, waitedFor) : error);
  const { isFinal, tries } = steps.fail(step, failure);
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
