import { withTimeout } from "../base/timers.ts";
import { type Connection, composeOn } from "../chat/compose.ts";
import { users } from "../chat/resources/users.ts";
import { type AttemptLimits, createAttemptLimits } from "../effects/attempt-limits.ts";
import { classifyFailure } from "../effects/classify-failure.ts";
import type { AppHealth } from "../effects/health/app-health.ts";
import { isEnd, outcomeFields, summarize } from "../effects/outcomes.ts";
import { namesSetFor } from "../effects/shadow/shadow-settings.ts";
import type { AppEvent } from "../events/app-event.ts";
import { reconcileWebhook } from "../events/occurrence.ts";
import { flowsStep } from "../flows/wake-flows.ts";
import { heldBackUntil } from "../queue/lanes/dead-letter-event.ts";
import { conversationIdOf, conversationOf, type LaneRecord, laneNameOf } from "../queue/lanes/lane-record.ts";
import {
  type Attempt,
  type AttemptOutcome,
  type DeadLetterReason,
  eventLimitMs,
} from "../queue/lanes/lane-services.ts";
import { type Progress, triggerOfStep } from "../queue/lanes/progress.ts";
import { factsOf, type MessageFacts, maxAgeMs } from "../queue/read-queued-event.ts";
import {
  type AttemptRun,
  type AttemptServices,
  failInShadow,
  failStep,
  logDisabledTriggers,
  nameAttempt,
  noteHung,
  stepOf,
  timeUp,
} from "./attempt-run.ts";
import { hasMoreToDo, moveToTriggerLanes, tookTheTime } from "./move-to-trigger-lanes.ts";
import { readEvents } from "./read-events.ts";
import { keepForTrigger, runTriggers } from "./run-triggers.ts";
import { createStepProgress } from "./step-progress.ts";

const marginMs = 2_000;

const readingStep = "reading";

/** While a deployment replaces processes, the next may be of the version that has the trigger. */
const mixedVersionsMs = 5 * 60_000;

export async function attemptEvent(attempt: Attempt, services: AttemptServices): Promise<AttemptOutcome> {
  const progress = withReplay(attempt.progress, attempt.record);
  const facts = factsOf(attempt.message);
  const finalCause = findFinalCause(attempt, progress, facts, services);
  if (finalCause !== undefined) {
    const wakeAt = await heldBackUntil(attempt, finalCause.reason, services);
    if (wakeAt === undefined) return { kind: "dead-letter", progress, ...finalCause };
    return { kind: "wait", progress: { ...progress, deaths: 0, heldBack: true }, wakeAt };
  }

  const { now, sleep } = services;
  const begunAt = now();
  const run = beginRun(attempt, progress, facts, services);
  const { limits } = run;
  // Ends a fresh event 2 s early: its lane can then be parked, and its other triggers moved or run.
  const limitMs = attempt.isFresh === true ? eventLimitMs - marginMs : eventLimitMs;
  const handling = () => handle(run).then(() => false);
  const isOver = await withTimeout(handling, limitMs, () => true, sleep);
  if (isOver) giveUp(run);
  limits.end();

  const [outcome] = await Promise.all([
    decideOutcome(run, isOver),
    isOver && noteHung(run.inShadow ?? run.ownSteps.get(run.step ?? ""), run),
  ]);
  logOutcome(outcome, run, begunAt, progress.finished.length > 0);
  return outcome;
}

function giveUp(run: AttemptRun): void {
  const { step = readingStep, inShadow, facts } = run;
  const fail = inShadow === undefined ? failStep : failInShadow;
  fail(run, step, facts?.trigger, timeUp(run));
}

async function decideOutcome(run: AttemptRun, isOver: boolean): Promise<AttemptOutcome> {
  const { attempt, services, steps } = run;
  if (isOver && run.inShadow !== undefined && hasMoreToDo(run))
    steps.fail("the rest", tookTheTime(services.now()));
  const ended = steps.outcome();
  const outcome = ended.kind === "wait" ? await moveToTriggerLanes(run, isOver) : ended;
  if (outcome.kind !== "dead-letter") return outcome;
  const wakeAt = await heldBackUntil(attempt, outcome.reason, services);
  if (wakeAt === undefined) return outcome;
  steps.holdBack(wakeAt);
  return moveToTriggerLanes(run, false);
}

function findFinalCause(
  { maxTries, ticket }: Attempt,
  { deaths, crashed = "" }: Progress,
  facts: MessageFacts | undefined,
  { now, actsOnOldEvents }: AttemptServices,
): { readonly reason: DeadLetterReason; readonly cause: string } | undefined {
  if (facts !== undefined && now() - facts.receivedAt > maxAgeMs && !actsOnOldEvents)
    return { reason: "too-old", cause: "It was received more than 30 days ago." };
  if (deaths < maxTries) return undefined;
  const name = ticket.lane.trigger ?? triggerOfStep(crashed);
  const last = name && name !== flowsStep ? `, the last in the trigger ${name}` : "";
  return { reason: "deaths", cause: `${deaths} attempts ended without a result${last}.` };
}

function beginRun(
  attempt: Attempt,
  progress: Progress,
  facts: MessageFacts | undefined,
  services: AttemptServices,
): AttemptRun {
  const { health, since, maxTries, ticket } = attempt;
  const { now, random, maxWaitMs } = services;
  const isFresh = attempt.isFresh === true && Object.keys(services.triggers).length > 1;
  const isHeldBack = progress.heldBack === true;
  const maxWaitEndsAt = since + maxWaitMs;
  const endsAt = now() + eventLimitMs - marginMs;
  const limits = createAttemptLimits(conversationOf(ticket.lane), endsAt, now, { isHeldBack, isFresh });
  const connectionOf = () => services.connectionOf(facts?.appId ?? ticket.appId);
  return {
    attempt,
    facts,
    services,
    limits,
    names: nameAttempt(attempt, facts),
    steps: createStepProgress({ progress, health, since, maxWaitEndsAt, maxTries, now, random }),
    isOnlyThisEvent: createOnlyThisEvent({ health, limits, connectionOf }),
    ownSteps: new Map(),
    events: [],
    ran: [],
    effects: [],
    woke: [],
    outcomes: new Map(),
    cut: new Map(),
  };
}

function logOutcome(outcome: AttemptOutcome, run: AttemptRun, begunAt: number, isResumed: boolean): void {
  const { attempt, facts, names, services, isQuarantined, events, ran, effects, woke, outcomes } = run;
  const { log, now } = services;
  const lane = laneNameOf(attempt.ticket.lane.id);
  if (isQuarantined) return;
  if (outcome.kind === "done") {
    // The other triggers continue in their own lanes, where their outcomes are logged.
    const ended = [...outcomes.values()].filter(({ outcome: name }) => isEnd(name));
    const isDone = outcomes.size === 0 && isResumed;
    log.info("handled an event", {
      ...names,
      lane,
      sinceReceivedMs: now() - (facts?.receivedAt ?? begunAt),
      tookMs: now() - begunAt,
      ...(ran.length > 0 && { ran }),
      ...(effects.length > 0 && { effects }),
      ...(woke.length > 0 && { woke }),
      ...nameSender(events),
      ...(isDone
        ? outcomeFields("already-done")
        : (outcomes.size === 0 || ended.length > 0) && summarize(ended)),
    });
  } else if (outcome.kind === "wait") {
    const { wakeAt, progress } = outcome;
    const { cause } = progress;
    const { trigger = "" } = attempt.ticket.lane;
    const waiting = {
      trigger: trigger === flowsStep ? "" : trigger,
      ...outcomeFields("waiting", { cause, untilMs: wakeAt }),
    };
    log.debug("an event waits", { ...names, lane, wakeAt, cause, ...summarize([waiting]) });
  }
}

/** For events that the platform did not deliver: samples, and those of reconcile. */
function nameSender([event]: readonly AppEvent[]): { readonly webhook?: string } {
  if (event?.head.engine !== "current") return {};
  const { webhook = "none" } = event.head;
  return webhook === "none" || webhook === reconcileWebhook ? { webhook } : {};
}

async function handle(run: AttemptRun): Promise<void> {
  const { steps, facts, services } = run;
  services.log.debug("began an event", { ...run.names, laneId: run.attempt.ticket.lane.id });
  try {
    const events = await readEvents(run.attempt, run.services);
    run.isQuarantined = events === undefined;
    if (events === undefined) return;
    run.events = events;
    if (await isAboutCanary(events, run)) return;
    await keepForRemovedTriggers(events, run);
    reportUnknownShadow(run);
    for (const event of events) logDisabledTriggers(event, run);
    // Steps that failed before run last: if one hangs again, it takes no other step's time.
    for (const isAgain of [false, true]) for (const event of events) await runTriggers(event, isAgain, run);
  } catch (error) {
    if (steps.needsToRun(readingStep)) failStep(run, readingStep, facts?.trigger, error);
  }
}

/** Keeps events for triggers that are off now: that of this lane, and those that failed or waited before. */
async function keepForRemovedTriggers(events: readonly AppEvent[], run: AttemptRun): Promise<void> {
  const { attempt, services, steps } = run;
  const { tries, pending, waiting = [] } = attempt.progress;
  const nowMs = services.now();
  for (const event of events) {
    const ofLane = stepOf(event, attempt.ticket.lane.trigger ?? flowsStep);
    for (const step of new Set([ofLane, ...Object.keys({ ...tries, ...pending }), ...waiting])) {
      const name = triggerOfStep(step);
      const isOn = name === flowsStep || Object.hasOwn(services.triggers, name);
      if (isOn || step !== stepOf(event, name) || !steps.needsToRun(step)) continue;
      if (nowMs < attempt.laneSince + mixedVersionsMs) {
        const cause = `Trigger ${name} is off.`;
        run.ownSteps.set(step, name);
        steps.fail(step, { kind: "later", retryAtMs: nowMs + 30_000, cause });
        continue;
      }
      services.log.warn("an event waited for a trigger that is not turned on any more", run.names);
      await keepForTrigger(event, name, run);
    }
  }
}

async function isAboutCanary(
  [event]: readonly AppEvent[],
  { facts, services }: AttemptRun,
): Promise<boolean> {
  if (event === undefined || facts === undefined) return false;
  return services.recordIfCanary(event, facts);
}

function reportUnknownShadow({ attempt: { health }, facts, services: { known, notices } }: AttemptRun): void {
  for (const name of namesSetFor(health.shadow, "trigger")) {
    if (!known.has(name)) notices.unknownShadow(facts?.appId ?? "", name);
  }
}

function withReplay(progress: Progress, { finished }: LaneRecord): Progress {
  if (finished === undefined) return progress;
  return { ...progress, finished: [...new Set([...finished, ...progress.finished])] };
}

interface OnlyThisEventServices {
  readonly health: AppHealth;
  readonly limits: AttemptLimits;
  readonly connectionOf: () => Promise<Connection>;
}

function createOnlyThisEvent({
  health,
  limits,
  connectionOf,
}: OnlyThisEventServices): AttemptRun["isOnlyThisEvent"] {
  let reading: Promise<boolean> | undefined;

  /**
   * Reads users: a key of scope fullAccess allows it (`GET /users`,
   * docs/internals/platform/addressing-and-keys.md#scopes-of-keys). Not counted in the app's health.
   */
  const readSucceeds = async (connection: Connection): Promise<boolean> => {
    limits.assertAlive();
    if ((await health.pauseOfApp()) !== undefined) return false;
    const { signal, deadlineMs } = limits;
    await composeOn(connection, { users })
      .users.list({ perPage: 1 }, { signal, deadlineMs, maxTries: 1 })
      .page();
    return true;
  };

  return async (error) => {
    const failure = classifyFailure(error);
    if (failure.kind !== "outage" || !failure.mayBeAlone) return false;
    const { destination } = failure;
    const conversation = conversationIdOf(limits.lane);
    const streak = health.streakOf(destination);
    const isOnlyLane = streak.length > 0 && streak.every((lane) => conversationIdOf(lane) === conversation);
    if (!failure.isRefused && !isOnlyLane) return false;
    try {
      const connection = await connectionOf();
      if (!destination.startsWith(`${connection.hostOf("api")} `)) return false;
      reading ??= readSucceeds(connection);
      return await reading;
    } catch {
      return false;
    }
  };
}
