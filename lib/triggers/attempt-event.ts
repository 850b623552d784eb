import { causesOf } from "../causes.ts";
import type { Connection } from "../chat/compose.ts";
import { composeOn } from "../chat/compose.ts";
import type { Count } from "../count-metric.ts";
import type { AnswerBook } from "../effects/answer-book.ts";
import { EventEndedError } from "../effects/effect-errors.ts";
import { triggerKey } from "../effects/effect-key.ts";
import { createEffects } from "../effects/effects.ts";
import type { Ledger } from "../effects/ledger.ts";
import type { LoopGuard } from "../effects/loop-guard.ts";
import { createPerform } from "../effects/perform.ts";
import { watchEffects } from "../effects/watch-effects.ts";
import { factsOf, type MessageFacts, oldestMs } from "../event-queue/message-facts.ts";
import type { Quarantine } from "../event-queue/quarantine.ts";
import type { QueuedEvent } from "../event-queue/queued-event.ts";
import { bytesOf, readQueuedEvent } from "../event-queue/read-queued-event.ts";
import { nameFact, type OccurrenceMemory } from "../events/occurrence.ts";
import type { Oddity } from "../events/oddities.ts";
import { parseEvent } from "../events/parse-event.ts";
import { placeOf } from "../fault-place.ts";
import { parseJson } from "../json.ts";
import { type Attempt, type AttemptOutcome, eventLimitMs, patienceBeginsAt } from "../lanes/attempt.ts";
import type { LaneRecord } from "../lanes/lane-record.ts";
import { maxTries, type Progress } from "../lanes/progress.ts";
import { lazy } from "../lazy.ts";
import { type Log, type LogFields, logWith } from "../log.ts";
import { readCallCheck } from "../phone-calls/call-check.ts";
import type { CallTracker } from "../phone-calls/call-tracker.ts";
import type { AppEvent } from "./app-event.ts";
import { type AttemptScope, createAttemptScope } from "./attempt-scope.ts";
import { classifyFailure } from "./classify-failure.ts";
import { ageOfEvent } from "./event-age.ts";
import type { EventNotices } from "./event-notices.ts";
import { createEventSteps, type EventSteps } from "./event-steps.ts";
import { EventTimeUpError } from "./event-time-up-error.ts";
import { handles, type TriggerTable } from "./on-trigger.ts";
import { createPassOver } from "./pass-over.ts";
import { PermanentError } from "./permanent-error.ts";
import { triggerFamilies } from "./trigger-chat.ts";

export interface AttemptServices {
  readonly triggers: TriggerTable;
  readonly connectionOf: (appId: string) => Promise<Connection>;
  readonly calls: CallTracker;
  readonly ledger: Ledger;
  readonly guardOf: (appId: string) => LoopGuard;
  readonly answers: AnswerBook;
  readonly occurrences: OccurrenceMemory;
  readonly quarantine: Quarantine;
  readonly notices: EventNotices;
  readonly log: Log;
  readonly count: Count;
  readonly now: () => number;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  readonly random: () => number;
  /** Gives a text that nobody else gives. */
  readonly token: () => string;
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
    const events = await readEvents(run);
    // What failed before goes last: should it hang again, it takes nobody else's time.
    for (const isAgain of [false, true]) for (const event of events) await actOn(event, isAgain, run);
  } catch (error) {
    if (steps.needsToRun(readingStep)) fail(run, readingStep, facts?.trigger, error);
  }
}

/** The platform's own event first, then what is derived from it. Nothing for what goes into quarantine. */
async function readEvents({ attempt, services }: Run): Promise<readonly AppEvent[]> {
  const { calls, quarantine, notices, log, count } = services;
  const check = readCallCheck(attempt.message);
  if (check !== undefined) return calls.summarise(check);

  const queued = readMessage(attempt.message);
  const { appId, trigger, key, canRecur = false, receivedAt } = queued;
  const bytes = bytesOf(queued);
  const body = parseJson(bytes.toString("utf8"));
  const { messageId: queueMessageId, replayedAt } = attempt.record;
  if (replayedAt === undefined) notices.delivered(queued, { queueMessageId, body });
  const parsed = parseEvent(body, { appId, found: { key, canRecur }, receivedAt });
  if (!parsed.ok) {
    await quarantine({ appId, bytes, receivedAt }, "not-understood", parsed.problems);
    log.warn("put an event that cannot be understood into quarantine", {
      appId,
      trigger,
      problems: parsed.problems
        .map(({ path, expected, found }) => `${path}: ${expected}, not ${found}`)
        .join("; "),
    });
    count("DeliveryQuarantined", { appId });
    return [];
  }
  const { event, oddities } = parsed;
  if (event.kind === "unknown") notices.unknownTrigger(appId, event.trigger);
  if (oddities.length > 0) tellOfOddities(event.trigger, appId, oddities, services);
  return [event, ...(await calls.note(event, { appId, receivedAt }))];
}

/** What is no message of ours today will be none tomorrow. The schema's own error would quote the message. */
function readMessage(message: unknown): QueuedEvent {
  try {
    return readQueuedEvent(message);
  } catch {
    throw new PermanentError(
      "The queue holds a message that is no event of version 1. Only the receiver may write to it.",
    );
  }
}

/**
 * Runs every trigger that handles the event and is not done with it: those that did not fail before, or those that did. One
 * that fails does not keep the next from running.
 */
async function actOn(event: AppEvent, isAgain: boolean, run: Run): Promise<void> {
  const { attempt, facts, services, steps, scope } = run;
  const { triggers, connectionOf, ledger, guardOf, answers, occurrences, log, now, sleep, token } = services;
  const receivedAt = facts?.receivedAt ?? now();
  const factKey = lazy(() => nameFact(event.head, receivedAt, occurrences));
  for (const [name, trigger] of Object.entries(triggers)) {
    const step = `${event.trigger} ${name}`;
    if (!handles(trigger, event) || !steps.needsToRun(step)) continue;
    if (steps.hasFailedBefore(step) !== isAgain) continue;
    if (now() >= scope.deadlineMs) {
      // It has not begun, so it is no try: it has its turn in the next attempt.
      steps.fail(step, { kind: "later", retryAtMs: now(), cause: "An earlier step took the event's time." });
      continue;
    }
    run.step = step;
    try {
      const appId = facts?.appId ?? event.head.appId ?? "";
      const connection = await connectionOf(appId);
      const guard = attempt.health.guardOf(scope, connection.hostOf);
      const chat = composeOn(connection, triggerFamilies, (...request) => watch.follow(guard(...request)));
      const tools = { appId, call: chat.call, guard: guardOf(appId), answers, scope, now };
      const perform = createPerform({
        ledger,
        tools,
        key: triggerKey({ appId, factKey: await factKey(), triggerName: name }),
        receivedAt,
        onDone: attempt.health.noteSuccess,
        token,
      });
      const watch = watchEffects(perform, () => sleep(0));
      const effects = createEffects(watch.perform, watch.follow, tools);
      const ageMs = ageOfEvent(event.head, receivedAt, now());
      const names = { ...namesOf(run), trigger: event.trigger, step };
      const passOver = createPassOver({ appId, triggerName: name, fields: { ...names, ageMs } }, services);
      const own = { log: logWith(log, names), effects };
      await watch.run(() =>
        trigger.run({ event, chat, receivedAt: new Date(receivedAt), ageMs, passOver, ...own }),
      );
      steps.finish(step);
    } catch (error) {
      fail(run, step, event.trigger, error);
    }
  }
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
function namesOf({ attempt: { record, progress }, facts }: Run): LogFields {
  const { appId, trigger, deliveryKey } = facts ?? {};
  const attempt = 1 + progress.waits + progress.deaths;
  return { appId, trigger, deliveryKey, queueMessageId: record.messageId, attempt };
}

/** A message that an operator sends again skips what was finished, unless it is told otherwise. */
function withReplay(progress: Progress, { finished }: LaneRecord): Progress {
  if (finished === undefined) return progress;
  return { ...progress, finished: [...new Set([...finished, ...progress.finished])] };
}

/** Only names of the catalogue get here, so that the metric has as many dimensions at most. */
function tellOfOddities(
  trigger: string,
  appId: string,
  oddities: readonly Oddity[],
  { log, count }: AttemptServices,
): void {
  const fields = oddities.map(({ path, found }) => `${path}: ${found}`).join("; ");
  log.warn("read an event in which fields have odd forms", { appId, trigger, fields });
  count("EventOddlyFormed", { trigger });
}
