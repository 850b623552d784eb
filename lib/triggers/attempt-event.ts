import type { WatchForCanary } from "../canary/watch-for-canary.ts";
import { causesOf } from "../causes.ts";
import { EventEndedError } from "../effects/effect-errors.ts";
import { errorFields } from "../error-fields.ts";
import { factsOf, type MessageFacts, oldestMs } from "../event-queue/message-facts.ts";
import { nameFact, type OccurrenceMemory } from "../events/occurrence.ts";
import { placeOf } from "../fault-place.ts";
import type { EventFacts, FlowWaker } from "../flows/wake-flows.ts";
import { type Attempt, type AttemptOutcome, eventLimitMs, patienceBeginsAt } from "../lanes/attempt.ts";
import type { LaneRecord } from "../lanes/lane-record.ts";
import { maxTries, type Progress } from "../lanes/progress.ts";
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
import { type ContextServices, createTriggerContext } from "./trigger-context.ts";

export interface AttemptServices extends ContextServices, ReadingServices {
  readonly triggers: TriggerTable;
  /** The names of those that only show what they would do, unless it is set otherwise for the app. */
  readonly shadowed: ReadonlySet<string>;
  /** The names of all triggers, those that are not turned on included. */
  readonly known: ReadonlySet<string>;
  readonly occurrences: OccurrenceMemory;
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
  const run: Run = { attempt, facts, services, steps, scope };

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
    log.info("handled an event", { ...namesOf(run), sinceReceivedMs: now() - receivedAt });
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
}

async function handle(run: Run): Promise<void> {
  const { steps, facts } = run;
  try {
    const events = await readEvents(run.attempt, run.services);
    if (await isAboutCanary(events, run)) return;
    tellOfUnknownShadow(run);
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
  const factKey = lazy(() => nameFact(event.head, receivedAt, occurrences));
  const shownKey = lazy(() => nameFact(event.head, receivedAt, withoutWriting(occurrences)));
  for (const [triggerName, trigger] of Object.entries(triggers)) {
    const step = `${event.trigger} ${triggerName}`;
    if (!handles(trigger, event) || !steps.needsToRun(step)) continue;
    if (steps.hasFailedBefore(step) !== isAgain) continue;
    if (now() >= scope.deadlineMs) {
      // It has not begun, so it is no try: it has its turn in the next attempt.
      steps.fail(step, { kind: "later", retryAtMs: now(), cause: "An earlier step took the event's time." });
      continue;
    }
    run.step = step;
    const isShadowed =
      shadowSetFor(attempt.health.shadow, "trigger", triggerName) ?? shadowed.has(triggerName);
    const of = { event, appId, triggerName, receivedAt, isShadowed, scope };
    const names = { ...namesOf(run), trigger: event.trigger, step };
    try {
      const { context, watch } = createTriggerContext(
        {
          ...of,
          factKey: isShadowed ? shownKey : factKey,
          attempt: attemptNumber(run),
          health: attempt.health,
          names,
        },
        services,
      );
      await watch.run(() => trigger.run(context));
      steps.finish(step);
    } catch (error) {
      if (isShadowed) endInShadow(run, names, triggerName, error);
      else fail(run, step, event.trigger, error);
    }
  }
  await wakeFlows(event, isAgain, { appId, factKey, receivedAt }, run);
}

/** Last: a trigger may just have started a flow that waits for what comes next. */
async function wakeFlows(event: AppEvent, isAgain: boolean, of: EventFacts, run: Run): Promise<void> {
  const { steps, services } = run;
  const step = `${event.trigger} (flows)`;
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
    step,
    failure: failure.kind,
    tries,
    cause: failure.cause,
    ...(stack !== undefined && { stack }),
  };
  if (isFinal) services.log.error("could not handle an event, for good", fields);
  else services.log.warn("could not handle an event yet", fields);
}

/** How each line names the event that it is about. */
function namesOf(run: Run): LogFields {
  const { appId, trigger, deliveryKey } = run.facts ?? {};
  const { messageId } = run.attempt.record;
  return { appId, trigger, deliveryKey, queueMessageId: messageId, attempt: attemptNumber(run) };
}

function attemptNumber({ attempt: { progress } }: Run): number {
  return 1 + progress.waits + progress.deaths;
}

/** A message that an operator sends again skips what was finished, unless it is told otherwise. */
function withReplay(progress: Progress, { finished }: LaneRecord): Progress {
  if (finished === undefined) return progress;
  return { ...progress, finished: [...new Set([...finished, ...progress.finished])] };
}
