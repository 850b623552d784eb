import type { Table } from "../aws/table.ts";
import { readPath } from "../base/json.ts";
import { lazy } from "../base/lazy.ts";
import { type Log, type LogFields, logWith } from "../base/log.ts";
import { composeOn, type Guard } from "../chat/compose.ts";
import { connectLater, type LaterConnection } from "../chat/connect-apps.ts";
import type { AttemptLimits } from "../effects/attempt-limits.ts";
import { type EffectTools, isSuppressed, logEffect } from "../effects/effect.ts";
import { EffectNotBegunError, PausedError } from "../effects/effect-errors.ts";
import type { EffectEdges, EffectServices } from "../effects/effect-services.ts";
import { createEffects } from "../effects/effects.ts";
import type { FlowStarter } from "../effects/flow-request.ts";
import type { AppHealth } from "../effects/health/app-health.ts";
import { triggerKey } from "../effects/ledger.ts";
import { createPerform, type Perform, type PerformOptions } from "../effects/perform.ts";
import { createShowOnly, readOnly, type ShownRun } from "../effects/shadow/show-only.ts";
import { createStates } from "../effects/state/create-states.ts";
import { createPendingWork, watchEffects, watchFiles } from "../effects/watch-effects.ts";
import type { AppEvent } from "../events/app-event.ts";
import { seenIn } from "../events/conditions/seen.ts";
import { receiptForFlows } from "../events/occurrence.ts";
import type { EventHead } from "../events/types/known-event.ts";
import { pauseOfLane } from "../queue/lanes/holds.ts";
import { passOver, type RunContext, triggerFamilies } from "./on-trigger.ts";
import { RunOutcome } from "./run-outcome.ts";

export interface ContextServices
  extends Pick<EffectEdges, "log" | "count" | "now" | "sleep" | "random" | "token">,
    Pick<EffectServices, "connectionOf" | "secretOf" | "outsideOf" | "filesOf">,
    Omit<ReturnType<EffectServices["rememberOn"]>, "occurrences"> {
  readonly flows?: FlowStarter | undefined;
  readonly stateTable: Table;
}

export interface TriggerRun {
  readonly event: AppEvent;
  readonly appId: string;
  readonly triggerName: string;
  readonly receivedAt: number;
  readonly isShadowed: boolean;
  readonly occurrenceKey: () => Promise<string>;
  readonly ignoresAge: boolean;
  readonly attempt: number;
  readonly traceparent: string;
  readonly limits: AttemptLimits;
  readonly health: AppHealth;
  readonly names: LogFields;
}

export function createTriggerContext(run: TriggerRun, services: ContextServices) {
  const { event, appId, triggerName, receivedAt, isShadowed, limits, names } = run;
  const { stateTable, now } = services;
  const log = logWith(services.log, names);
  const outcome = new RunOutcome();
  const { chat, connection, tools, watch, doneEffects, stoppedBy } = openActs(run, log, outcome, services);
  const ageMs = run.ignoresAge ? 0 : ageOfEvent(event.head, receivedAt, now());
  // An event that was too old at its receipt has not become so here.
  const waitedMs = now() - receivedAt;
  const { perform, follow } = watch;
  let becameTooOld = false;
  const context: RunContext = {
    event,
    chat,
    log,
    now,
    ageMs,
    attempt: run.attempt,
    effects: createEffects(perform, follow, tools),
    state: createStates({ ...services, table: stateTable, appId, perform, isShadow: isShadowed }),
    files: () => openFiles(run, services),
    signal: limits.signal,
    deadlineMs: limits.deadlineMs,
    app: { appId, region: event.head.region },
    receivedAt: new Date(receivedAt),
    learnSecrets: () => connection.open().then(ignore, ignore),
    leave: (...left) => outcome.leave(...left),
    passOver: (reason, maxAgeMs = ageMs / 2) => {
      outcome.leave(reason);
      becameTooOld ||= reason === "too-old" && ageMs - waitedMs <= maxAgeMs;
      passOver({ ...names, ageMs, appId }, triggerName, reason, services);
    },
  };
  return {
    context,
    watch,
    outcome,
    doneEffects,
    becameTooOld: () => becameTooOld,
    stoppedBy,
  };
}

/** Client and effects check the attempt, pauses and the host's health. */
function openActs(run: TriggerRun, log: Log, outcome: RunOutcome, services: ContextServices) {
  const { appId, triggerName, receivedAt, isShadowed, health } = run;
  const { ledger, now, sleep, token, count } = services;
  const shown = { appId, name: triggerName, log, count, onOutcome: noteShown(outcome) };
  const connection = connectLater(() => services.connectionOf(appId));
  const { assertActs, stoppedBy } = watchPause(run, now);
  const ofHealth = requestGuardOf(run, connection, assertActs);
  const guard = noteSent(isShadowed ? readOnly(shown, ofHealth) : ofHealth, outcome);
  const pending = createPendingWork(() => sleep(0), logUndone(log));
  const chat = composeOn(connection, triggerFamilies, (request, ...more) =>
    pending.begin(request.operation, () => guard(request, ...more)),
  );
  const tools = toolsOf(run, chat.call, services);
  const key = lazy(async () => triggerKey({ appId, occurrenceKey: await run.occurrenceKey(), triggerName }));
  const { onOutcome, isDone } = noteEnds(outcome, log);
  const recorded = { receivedAt, onActed: health.noteSuccess, onOutcome };
  const performLater = lazy(async () =>
    createPerform({ ledger, tools, key: await key(), token, ...recorded }),
  );
  const perform = isShadowed
    ? createShowOnly(shown, tools, key)
    : performConnected(run, connection, assertActs, performLater);
  const watch = watchEffects(pending, perform);
  const doneEffects = (): readonly string[] => watch.done().filter(isDone);
  return { chat, connection, tools, watch, doneEffects, stoppedBy };
}

function logUndone(log: Log) {
  return (effect: string, why: keyof typeof undoneTexts) =>
    log.warn(`an effect was not done, because ${undoneTexts[why]}`, { effect });
}

const undoneTexts = {
  repeated: "its name was used before in this run",
  late: "its trigger had ended: await it",
} as const;

async function openFiles({ appId, limits }: TriggerRun, { filesOf }: ContextServices) {
  const files = await filesOf(appId);
  return { ...files, fetch: watchFiles(files.fetch ?? globalThis.fetch, limits.waitsFor) };
}

function noteShown(outcome: RunOutcome): NonNullable<ShownRun["onOutcome"]> {
  return (effect, how) => outcome.noteEffect({ ...effect, how });
}

function noteSent(guard: Guard, outcome: RunOutcome): Guard {
  return async (request, ...more) => {
    const answer = await guard(request, ...more);
    if (request.method !== "GET") outcome.noteSent();
    return answer;
  };
}

function noteEnds(outcome: RunOutcome, log: Log) {
  const suppressed = new Set<string>();
  const onOutcome: PerformOptions["onOutcome"] = ({ name, kind }, how, result) => {
    if (isSuppressed(how)) suppressed.add(name);
    // The rest may contain a user's text.
    const made = readPath(result, "id");
    outcome.noteEffect({ name, kind, how, made });
    logEffect(log, { effect: name, kind, how, made });
  };
  return { onOutcome, isDone: (name: string) => !suppressed.has(name) };
}

/**
 * Connects before the effect begins: without a request, it is certainly not done, and no later attempt must
 * look for it.
 */
function performConnected(
  { limits }: TriggerRun,
  connection: LaterConnection,
  assertActs: () => Promise<void>,
  performLater: () => Promise<Perform>,
): Perform {
  return async (name, effect) => {
    limits.assertAlive();
    await assertActs();
    await connection.open().catch((error: unknown) => {
      throw new EffectNotBegunError(name, error);
    });
    return (await performLater())(name, effect);
  };
}

function watchPause({ appId, triggerName, health }: TriggerRun, now: () => number) {
  let stopped: PausedError | undefined;
  return {
    assertActs: async (): Promise<void> => {
      if ((await pauseOfLane({ trigger: triggerName }, health)) === undefined) return;
      stopped = new PausedError(appId, now());
      throw stopped;
    },
    stoppedBy: () => stopped,
  };
}

function requestGuardOf(
  { limits, health, traceparent }: TriggerRun,
  connection: LaterConnection,
  assertActs: () => Promise<void>,
): Guard {
  return async (request, options, send) => {
    limits.assertAlive();
    await assertActs();
    const { hostOf } = await connection.open();
    return health.outageGuardOf(limits, hostOf)(request, { ...options, traceparent }, send);
  };
}

function toolsOf(
  { event, appId, receivedAt, limits, health, occurrenceKey }: TriggerRun,
  call: EffectTools["call"],
  { answers, flows, loopGuardOf, secretOf, outsideOf, now }: ContextServices,
): EffectTools {
  const messageId = event.trigger === "message_sent" ? seenIn(event).messageId : undefined;
  return {
    appId,
    call,
    guard: loopGuardOf(appId),
    answers,
    flows,
    limits,
    now,
    cause: {
      occurrenceKey,
      receivedAt: receiptForFlows(event.head, receivedAt),
      happenedAt: happenedAt(event.head, receivedAt),
      region: event.head.region,
      messageId,
    },
    secret: (name) => secretOf(appId, name),
    outside: { ...outsideOf(appId), watch: health.watchOf(limits) },
  };
}

function ignore(): void {}

export function ageOfEvent(head: HeadTimes, receivedAtMs: number, nowMs: number): number {
  return Math.max(0, nowMs - happenedAt(head, receivedAtMs));
}

type HeadTimes = Pick<EventHead, "occurredAt" | "occurredAtField">;

/**
 * The time of receipt if the platform's is missing or impossible. A group's `updatedAt` does not change with
 * its members (docs/internals/platform/events.md#group-events).
 */
function happenedAt({ occurredAt, occurredAtField }: HeadTimes, receivedAtMs: number): number {
  const isKnown = occurredAt !== undefined && occurredAtField !== "data.group.updatedAt";
  return isKnown ? Math.min(occurredAt.getTime(), receivedAtMs) : receivedAtMs;
}
