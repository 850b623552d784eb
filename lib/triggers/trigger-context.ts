import type { Table } from "../aws/table.ts";
import { type Connection, composeOn } from "../chat/compose.ts";
import { connectLater } from "../chat/connect-later.ts";
import type { Guard } from "../chat/guard.ts";
import type { Count } from "../count-metric.ts";
import type { AnswerBook } from "../effects/answer-book.ts";
import { EffectNotBegunError } from "../effects/effect-errors.ts";
import { triggerKey } from "../effects/effect-key.ts";
import { createEffects } from "../effects/effects.ts";
import type { Ledger } from "../effects/ledger.ts";
import type { LoopGuard } from "../effects/loop-guard.ts";
import { createPerform, type Perform } from "../effects/perform.ts";
import { type EffectWatch, watchEffects } from "../effects/watch-effects.ts";
import type { AppHealth } from "../health/app-health.ts";
import { lazy } from "../lazy.ts";
import { type Log, type LogFields, logWith } from "../log.ts";
import { createStates } from "../state/create-states.ts";
import type { AppEvent } from "./app-event.ts";
import type { AttemptScope } from "./attempt-scope.ts";
import { ageOfEvent } from "./event-age.ts";
import type { RunContext } from "./on-trigger.ts";
import { createPassOver } from "./pass-over.ts";
import { triggerFamilies } from "./trigger-chat.ts";

/** What a context is built from. */
export interface ContextServices {
  readonly connectionOf: (appId: string) => Promise<Connection>;
  readonly ledger: Ledger;
  readonly guardOf: (appId: string) => LoopGuard;
  readonly answers: AnswerBook;
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
  /** Names the fact for good; asks the table where its key can recur. */
  readonly factKey: () => Promise<string>;
  /** How often the event was begun, this time included. */
  readonly attempt: number;
  readonly scope: AttemptScope;
  readonly health: Pick<AppHealth, "guardOf" | "noteSuccess">;
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
): { readonly context: RunContext; readonly watch: EffectWatch } {
  const { event, appId, triggerName, receivedAt, attempt, scope, health, names } = run;
  const { connectionOf, guardOf, answers, stateTable: table, log, now, sleep, random, token } = services;
  const connection = connectLater(() => connectionOf(appId));
  const guard: Guard = async (request, options, send) => {
    scope.assertAlive();
    const { hostOf } = await connection.open();
    return health.guardOf(scope, hostOf)(request, options, send);
  };
  const chat = composeOn(connection, triggerFamilies, (...request) => watch.follow(guard(...request)));
  const tools = { appId, call: chat.call, guard: guardOf(appId), answers, scope, now };
  const watch = watchEffects(performLater(run, connection.open, tools, services), () => sleep(0));
  const ageMs = ageOfEvent(event.head, receivedAt, now());
  const context = {
    event,
    chat,
    effects: createEffects(watch.perform, watch.follow, tools),
    state: createStates({ table, appId, perform: watch.perform, isShadow: false, now, sleep, random, token }),
    log: logWith(log, names),
    signal: scope.signal,
    deadlineMs: scope.deadlineMs,
    attempt,
    now,
    app: { appId, region: event.head.region },
    receivedAt: new Date(receivedAt),
    ageMs,
    passOver: createPassOver({ appId, triggerName, fields: { ...names, ageMs } }, services),
  };
  return { context, watch };
}

/**
 * Makes what does the run's effects when the first one is asked for. The way to the app is opened before: an effect
 * whose request cannot even leave is surely undone, and no later attempt has to look for it.
 */
function performLater(
  { appId, triggerName, receivedAt, factKey, scope, health }: TriggerRun,
  open: () => Promise<unknown>,
  tools: Parameters<typeof createPerform>[0]["tools"],
  { ledger, token }: Pick<ContextServices, "ledger" | "token">,
): Perform {
  const perform = lazy(async () => {
    const key = triggerKey({ appId, factKey: await factKey(), triggerName });
    return createPerform({ ledger, tools, key, receivedAt, onDone: health.noteSuccess, token });
  });
  return async (name, effect) => {
    scope.assertAlive();
    await open().catch((error: unknown) => {
      throw new EffectNotBegunError(name, error);
    });
    return (await perform())(name, effect);
  };
}
