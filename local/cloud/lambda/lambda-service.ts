import { randomUUID } from "node:crypto";
import { type SchedulingClock, watchClock } from "../durable/drive-durable-store.ts";
import type { CloudFaults } from "../faults/cloud-faults.ts";
import type { EndedInvocation } from "./execution-environment.ts";
import type { FunctionDefinition, KillPoint } from "./function-definition.ts";
import { createFunctionPool, type FunctionPool } from "./function-pool.ts";
import type { InspectorDoor } from "./inspector-door.ts";
import { type OrphanGuard, startOrphanGuard } from "./orphan-guard.ts";
import type { Outcome } from "./outcome.ts";

export interface LambdaOptions {
  readonly functions: readonly FunctionDefinition[];
  /** Processes of one function at the same time. */
  readonly concurrency: number;
  readonly freezes: boolean;
  /** Where debuggers come in, by the keys of functions; each of these has one process. Default: nowhere. */
  readonly inspectors?: ReadonlyMap<string, InspectorDoor> | undefined;
  /** Gets each line that a function writes. */
  readonly log: (line: string, from: FunctionDefinition) => void;
  /** Gets each line that Lambda itself writes into a function's log. Default: nobody hears. */
  readonly logOfLambda?: (line: string, from: FunctionDefinition) => void;
  /** Hears of each invocation that has ended. Default: nobody hears. */
  readonly onInvocation?: (ended: EndedInvocation, of: FunctionDefinition) => void;
  /** Removed with everything else when this process is killed. */
  readonly buildFolder: string;
  /** How long an asynchronous invocation waits before each new try. */
  readonly asyncRetryDelaysMs?: readonly number[];
  /** Milliseconds that the functions' time is ahead of the machine's. Default: none. */
  readonly aheadMs?: (() => number) | undefined;
  /** What new tries of asynchronous invocations wait by. Default: the machine's time. */
  readonly clock?: SchedulingClock | undefined;
  readonly faults?: Pick<CloudFaults, "concurrencyOf" | "killPointFor"> | undefined;
}

/** An asynchronous invocation that failed and waits for its next try. */
export interface WaitingTry {
  readonly id: string;
  readonly functionKey: string;
  readonly payload: string;
  /** Milliseconds since 1970. */
  readonly dueMs: number;
  readonly failedTries: number;
  /** Has the next try begin at once. */
  fire(): void;
}

/** Lambda without a network: functions by their keys in serverless.yml. */
export interface LambdaService {
  /** As they are run from now on. */
  readonly functions: readonly FunctionDefinition[];
  /** Runs a function and waits. @throws Error if there is none of this key */
  invoke(functionKey: string, payload: string): Promise<Outcome>;
  /** Runs a function without waiting, and again when it fails. */
  invokeAsync(functionKey: string, payload: string): void;
  /** Whether a process of the function is there. */
  isWarm(functionKey: string): boolean;
  /** Starts a process for a function's next invocation, unless there is one. */
  warm(functionKey: string): Promise<void>;
  /**
   * Runs a function by another definition once a process of it is loaded; gives what came in its way. A function that
   * there was not is added.
   */
  renew(definition: FunctionDefinition): Promise<Outcome | "loaded">;
  /** Takes a function away; what runs of it ends. */
  remove(functionKey: string): Promise<void>;
  kill(functionKey: string): void;
  killNext(functionKey: string, point: KillPoint): void;
  killWhen(functionKey: string, isMeant: (payload: string) => boolean, point: KillPoint): Promise<void>;
  isBusy(): boolean;
  waitingTries(): readonly WaitingTry[];
  /**
   * Kills every process, forgets every try that waits, and has every invocation fail until `resume`. Resolves when none is
   * left.
   */
  halt(): Promise<void>;
  resume(): void;
  close(): Promise<void>;
}

/** @see https://docs.aws.amazon.com/lambda/latest/dg/invocation-async-error-handling.html */
const defaultRetryDelaysMs = [60_000, 120_000];

/** Makes Lambda with these functions. Their processes start when they are first needed. */
export function createLambdaService(options: LambdaOptions): LambdaService {
  const { concurrency, freezes, log, asyncRetryDelaysMs = defaultRetryDelaysMs } = options;
  const guard: OrphanGuard = startOrphanGuard(options.buildFolder);
  const createPool = (definition: FunctionDefinition) =>
    createFunctionPool({
      ...{ definition, guard, aheadMs: options.aheadMs, inspector: options.inspectors?.get(definition.key) },
      // A debugger looks at one process, which must not stand still.
      concurrency: options.inspectors?.has(definition.key) ? 1 : concurrency,
      freezes: freezes && !options.inspectors?.has(definition.key),
      concurrencyNow: () => options.faults?.concurrencyOf(definition.key),
      killPointNow: () => options.faults?.killPointFor(definition.key),
      log: (line) => log(line, definition),
      logOfLambda: (line) => options.logOfLambda?.(line, definition),
      onInvocation: (ended) => options.onInvocation?.(ended, definition),
    });
  const pools = new Map<string, FunctionPool>(
    options.functions.map((definition) => [definition.key, createPool(definition)]),
  );
  const clock = options.clock ?? watchClock(Date.now);
  const waiting = new Set<WaitingTry & { readonly timer: { cancel(): void } }>();
  const get = (functionKey: string) => {
    const pool = pools.get(functionKey);
    if (pool) return pool;
    const known = [...pools.keys()].join(", ");
    throw new Error(`serverless.yml declares no function ${functionKey}. It has ${known}.`);
  };
  // Whatever began before a halt is not tried again after it.
  let era = 0;
  const runAsync = async (functionKey: string, payload: string, failedTries: number): Promise<void> => {
    const begunIn = era;
    const outcome = await get(functionKey).invoke(payload);
    const retryMs = asyncRetryDelaysMs[failedTries];
    if (outcome.kind === "answered" || retryMs === undefined || begunIn !== era) return;
    const dueMs = clock.now() + retryMs;
    const fire = () => {
      entry.timer.cancel();
      if (waiting.delete(entry)) runAsync(functionKey, payload, failedTries + 1).catch(() => {});
    };
    const shown = { id: randomUUID(), functionKey, payload, dueMs, failedTries: failedTries + 1, fire };
    const entry = { ...shown, timer: clock.schedule(dueMs, fire) };
    waiting.add(entry);
  };
  const forgetTries = () => {
    era += 1;
    for (const { timer } of waiting) timer.cancel();
    waiting.clear();
  };

  return {
    get functions() {
      return [...pools.values()].map(({ definition }) => definition);
    },
    isWarm: (functionKey) => get(functionKey).isWarm(),
    warm: (functionKey) => get(functionKey).warm(),
    async renew(definition) {
      const pool = pools.get(definition.key);
      if (pool !== undefined) return await pool.renew(definition);
      const added = createPool(definition);
      const outcome = await added.renew(definition);
      if (outcome === "loaded") pools.set(definition.key, added);
      else await added.close();
      return outcome;
    },
    async remove(functionKey) {
      const pool = pools.get(functionKey);
      pools.delete(functionKey);
      await pool?.retire();
    },
    invoke: async (functionKey, payload) => await get(functionKey).invoke(payload),
    invokeAsync(functionKey, payload) {
      get(functionKey);
      runAsync(functionKey, payload, 0).catch(() => {});
    },
    kill: (functionKey) => get(functionKey).kill(),
    killNext: (functionKey, point) => get(functionKey).killNext(point),
    killWhen: (functionKey, isMeant, point) => get(functionKey).killWhen(isMeant, point),
    isBusy: () => [...pools.values()].some((pool) => pool.isBusy()),
    waitingTries: () => [...waiting],
    async halt() {
      forgetTries();
      await Promise.all([...pools.values()].map((pool) => pool.halt()));
    },
    resume() {
      for (const pool of pools.values()) pool.resume();
    },
    async close() {
      forgetTries();
      await Promise.all([...pools.values()].map((pool) => pool.close()));
      await guard.close();
    },
  };
}
