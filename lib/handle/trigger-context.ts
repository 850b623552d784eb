import type { NamedSecret } from "../aws/secrets/named-secrets.ts";
import type { Table } from "../aws/table.ts";
import type { Count } from "../base/count-metric.ts";
import { isRecord } from "../base/json.ts";
import { lazy } from "../base/lazy.ts";
import { type Log, type LogFields, logWith } from "../base/log.ts";
import { type Connection, composeOn } from "../chat/compose.ts";
import { connectLater } from "../chat/connect-later.ts";
import type { Guard } from "../chat/guard.ts";
import type { AnswerBook } from "../effects/answer-book.ts";
import type { AttemptScope } from "../effects/attempt-scope.ts";
import type { EffectTools } from "../effects/effect.ts";
import { EffectNotBegunError } from "../effects/effect-errors.ts";
import { triggerKey } from "../effects/effect-key.ts";
import { isHeldBack, logEffect } from "../effects/effect-outcome.ts";
import { createEffects } from "../effects/effects.ts";
import type { FlowStarter } from "../effects/flow-request.ts";
import type { AppHealth } from "../effects/health/app-health.ts";
import type { Outside } from "../effects/http/outside.ts";
import type { Ledger } from "../effects/ledger.ts";
import { PausedError } from "../effects/paused-error.ts";
import { createPerform, type Perform } from "../effects/perform.ts";
import { createShowOnly, readOnly } from "../effects/shadow/show-only.ts";
import { createStates } from "../effects/state/create-states.ts";
import { type EffectWatch, watchEffects } from "../effects/watch-effects.ts";
import type { AppEvent } from "../events/app-event.ts";
import { seenIn } from "../events/conditions/seen.ts";
import type { LoopGuard } from "../events/marks/loop-guard.ts";
import { ageOfEvent } from "./event-age.ts";
import type { RunContext } from "./on-trigger.ts";
import { createPassOver, type PassReason } from "./pass-over.ts";
import { triggerFamilies } from "./trigger-chat.ts";

/** What a context is built from. */
export interface ContextServices {
  readonly connectionOf: (appId: string) => Promise<Connection>;
  readonly ledger: Ledger;
  readonly guardOf: (appId: string) => LoopGuard;
  readonly answers: AnswerBook;
  readonly secretOf: NamedSecret;
  /** Which hosts an app's effects may ask, and how. */
  readonly outsideOf: (appId: string) => Omit<Outside, "watch">;
  /** Default: flows cannot be started. */
  readonly flows?: FlowStarter | undefined;
  /** Of states; its key is `id`. */
  readonly stateTable: Table;
  readonly log: Log;
  readonly count: Count;
  readonly now: () => number;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** From 0 up to 1. */
  readonly random: () => number;
  /** Gives a text that nobody else gives. */
  readonly token: () => string;
}

/** One trigger's run on one event, in one attempt. */
export interface TriggerRun {
  readonly event: AppEvent;
  readonly appId: string;
  /** The trigger's name in the table of triggers. */
  readonly triggerName: string;
  /** Milliseconds since 1970. */
  readonly receivedAt: number;
  /** It only shows what it would do. */
  readonly isShadowed: boolean;
  /** Names the fact for good; asks the table where its key can recur. */
  readonly factKey: () => Promise<string>;
  /** An operator wants it handled however old it is. */
  readonly ignoresAge: boolean;
  /** How often the event was begun, this time included. */
  readonly attempt: number;
  /** Stands in the run's requests to the platform: what they cause is told by it. */
  readonly traceparent: string;
  readonly scope: AttemptScope;
  readonly health: Pick<AppHealth, "guardOf" | "watchOf" | "noteSuccess" | "pauseOfApp" | "pauseOf">;
  /** What tells the run apart in the log. */
  readonly names: LogFields;
}

/**
 * Builds what a trigger is run with, and what watches over its effects. Nothing is asked of anybody before the handler
 * does: neither the app's secret nor a table.
 */
export function createTriggerContext(
  run: TriggerRun,
  services: ContextServices,
): {
  readonly context: RunContext;
  readonly watch: EffectWatch;
  /** Returns the names of the effects that are done by now, without those that were held back. */
  readonly doneEffects: () => readonly string[];
  /** Tells whether the handler left the event alone because it became too old while it waited here. */
  readonly becameTooOld: () => boolean;
  /** Gives what stopped the handler, whatever it made of that: somebody paused it while it ran. */
  readonly stoppedBy: () => PausedError | undefined;
} {
  const { event, appId, triggerName, receivedAt, factKey, attempt, isShadowed, scope, health, names } = run;
  const { traceparent } = run;
  const {
    connectionOf,
    guardOf,
    answers,
    secretOf,
    outsideOf,
    flows,
    stateTable,
    count,
    now,
    sleep,
    random,
    token,
  } = services;
  const log = logWith(services.log, names);
  const shown = { appId, name: triggerName, log, count };
  const connection = connectLater(() => connectionOf(appId));
  let stopped: PausedError | undefined;
  const assertActs = async () => {
    const pause =
      (await health.pauseOfApp()) ?? (await health.pauseOf({ kind: "trigger", name: triggerName }));
    if (pause === undefined) return;
    stopped = new PausedError(appId, now());
    throw stopped;
  };
  const ofHealth: Guard = async (request, options, send) => {
    scope.assertAlive();
    await assertActs();
    const { hostOf } = await connection.open();
    return health.guardOf(scope, hostOf)(request, { ...options, traceparent }, send);
  };
  const guard = isShadowed ? readOnly(shown, ofHealth) : ofHealth;
  const chat = composeOn(connection, triggerFamilies, (...request) => watch.follow(guard(...request)));
  const messageId = event.trigger === "message_sent" ? seenIn(event).messageId : undefined;
  const cause = { factKey, receivedAt, region: event.head.region, messageId };
  const tools = {
    ...{ appId, call: chat.call, guard: guardOf(appId), answers, flows, cause, scope, now },
    secret: (name: string) => secretOf(appId, name),
    outside: { ...outsideOf(appId), watch: health.watchOf(scope) },
  };
  const heldBack = new Set<string>();
  const perform = isShadowed
    ? createShowOnly(
        shown,
        tools,
        lazy(() => keyOf(run)),
      )
    : performLater({ ...run, log, heldBack }, assertActs, connection.open, tools, services);
  const watch = watchEffects(
    perform,
    () => sleep(0),
    (effect) => log.warn("an effect was not done, because its name was used before in this run", { effect }),
  );
  const ageMs = run.ignoresAge ? 0 : ageOfEvent(event.head, receivedAt, now());
  // What was too old when it was received has not waited here.
  const waitedMs = now() - receivedAt;
  let becameTooOld = false;
  const passOver = createPassOver({ appId, triggerName, fields: { ...names, ageMs } }, services);
  const context = {
    event,
    chat,
    effects: createEffects(watch.perform, watch.follow, tools),
    state: createStates({
      ...{
        table: stateTable,
        appId,
        perform: watch.perform,
        isShadow: isShadowed,
        now,
        sleep,
        random,
        token,
      },
    }),
    log,
    signal: scope.signal,
    deadlineMs: scope.deadlineMs,
    attempt,
    now,
    app: { appId, region: event.head.region },
    receivedAt: new Date(receivedAt),
    ageMs,
    learnSecrets: () => connection.open().then(ignore, ignore),
    passOver: (reason: PassReason) => {
      becameTooOld ||= reason === "too-old" && waitedMs >= ageMs / 2;
      passOver(reason);
    },
  };
  const doneEffects = () => watch.done().filter((name) => !heldBack.has(name));
  return {
    ...{ context, watch, doneEffects },
    becameTooOld: () => becameTooOld,
    stoppedBy: () => stopped,
  };
}

/**
 * Makes what does the run's effects when the first one is asked for. The way to the app is opened before: an effect
 * whose request cannot even leave is surely undone, and no later attempt has to look for it.
 */
function performLater(
  run: TriggerRun & { readonly log: Log; readonly heldBack: Set<string> },
  assertActs: () => Promise<void>,
  open: () => Promise<unknown>,
  tools: EffectTools,
  { ledger, token }: Pick<ContextServices, "ledger" | "token">,
): Perform {
  const { receivedAt, scope, health, log, heldBack } = run;
  const perform = lazy(async () =>
    createPerform({
      ledger,
      tools,
      key: await keyOf(run),
      receivedAt,
      onDone: health.noteSuccess,
      onEnd: (effect, how, result) => {
        if (isHeldBack(how)) heldBack.add(effect);
        logEffect(log, { effect, how, made: idIn(result) });
      },
      token,
    }),
  );
  return async (name, effect) => {
    scope.assertAlive();
    await assertActs();
    await open().catch((error: unknown) => {
      throw new EffectNotBegunError(name, error);
    });
    return (await perform())(name, effect);
  };
}

/** Of what an effect gave, its id alone: the rest may be what somebody wrote. */
function idIn(result: unknown): unknown {
  return isRecord(result) ? result.id : undefined;
}

async function keyOf({ appId, factKey, triggerName }: TriggerRun): Promise<string> {
  return triggerKey({ appId, factKey: await factKey(), triggerName });
}

function ignore(): void {}
