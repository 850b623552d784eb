import type { DatabaseSync } from "node:sqlite";
import * as z from "zod/mini";
import { describeError } from "../../../../base/describe-error.ts";
import { lazy } from "../../../../base/lazy.ts";
import { createHint, type Log } from "../../../../base/log.ts";
import { longestTimerMs, pause } from "../../../../base/timers.ts";
import { aFunctionGiven, checkCall } from "../../../../chat/check-call.ts";
import { createHandleStored, type StoredEventHandler } from "./handle-stored.ts";
import { createHeartbeatRegistry, type HeartbeatRegistry } from "./heartbeat-registry.ts";
import { longestDelayMs, longestUsualMs, neverFailing, usualDelayMs } from "./lane-delays.ts";
import { type Begun, createSqliteLanes, type Settled, type SqliteLanes } from "./lanes.ts";
import { openStoreFile } from "./open-store-file.ts";
import { transact } from "./transact.ts";

/** Options of a consumer of a store in a file. */
export interface ConsumeOptions {
  /** Lanes at a time. Default: 10. */
  readonly concurrency?: number;
  /** A handler's maximum, in milliseconds. Default: 30,000. */
  readonly handlerMs?: number;
  /** Tries before the event is dead-lettered. Default: 10. */
  readonly mostTries?: number;
  /**
   * A lane's wait after its first event's n-th try. Default: 5, 15, 45 s and so on up to 12 minutes, with
   * jitter.
   */
  readonly delayMs?: (tries: number) => number;
  /** Stops the consumer, like `stop`. */
  readonly signal?: AbortSignal;
  /** Time for running handlers at `stop`, in milliseconds. Default: 10,000. */
  readonly graceMs?: number;
  /**
   * After this time without a heartbeat, another process's lanes are taken over. In milliseconds. Default:
   * 10,000.
   */
  readonly leaseMs?: number;
  /** Interval of looks for other processes' writes, in milliseconds. Default: 250. */
  readonly pollMs?: number;
}

/** A running consumer. */
export interface StoreConsumer {
  /** Waits for running handlers and releases unfinished events. Repeatable; never throws. */
  stop(): Promise<void>;
  /** Resolves when it has stopped. */
  readonly stopped: Promise<void>;
}

export interface ConsumerTools {
  readonly file: string;
  readonly now: () => number;
  readonly log: Log;
}

const mostInARow = 20;
const rewriteMs = 250;
const longestRewriteMs = 30_000;

interface RunningLane {
  begun: Begun;
}

interface Consumer {
  readonly database: DatabaseSync;
  readonly lanes: SqliteLanes;
  readonly heartbeats: HeartbeatRegistry;
  readonly wakeSignal: ReturnType<typeof createWakeSignal>;
  readonly handle: (begun: Begun) => Promise<Settled>;
  readonly stopping: AbortController;
  readonly interrupting: AbortController;
  readonly running: Map<Promise<void>, RunningLane>;
  readonly concurrency: number;
  readonly graceMs: number;
  readonly leaseMs: number;
  readonly pollMs: number;
  readonly longestMs: number;
  readonly now: () => number;
  readonly log: Log;
  readonly reportOutage: (message: string, error: unknown) => void;
  /** When the latest heartbeat was written (monotonic). */
  beatenAt: number;
  /** When the latest turn began (wall clock). */
  latest: number | undefined;
}

/**
 * Starts a consumer; `wake` notifies it of new events. @throws StoreFileError, RangeError, TypeError,
 * InvalidInputError
 */
export function startConsumer(
  handler: StoredEventHandler,
  options: ConsumeOptions,
  { file, now, log }: ConsumerTools,
): StoreConsumer & { wake(): void } {
  checkCall("consume", "options", optionsSchema(), options);
  const { concurrency = 10, handlerMs = 30_000, mostTries = 10, graceMs = 10_000 } = options;
  const { leaseMs = 10_000, pollMs = 250, signal } = options;
  checkSettings(handler, { concurrency, handlerMs, mostTries, graceMs, leaseMs, pollMs });
  const delayMs = neverFailing(options.delayMs ?? usualDelayMs);
  // Outcomes need no sync: after a power loss the events are delivered again.
  const database = openStoreFile(file, false);
  const { randomUUID } = process.getBuiltinModule("node:crypto");
  const wakeSignal = createWakeSignal();
  const [stopping, interrupting] = [new AbortController(), new AbortController()];
  const handling = { handlerMs, mostTries, delayMs, now, log, interrupted: interrupting.signal };
  const consumer: Consumer = {
    database,
    wakeSignal,
    stopping,
    interrupting,
    concurrency,
    graceMs,
    leaseMs,
    pollMs,
    now,
    log,
    reportOutage: createReportOutage(log, now),
    lanes: createSqliteLanes(database, now, mostTries),
    heartbeats: createHeartbeatRegistry(database, leaseMs, monotonic, randomUUID),
    handle: createHandleStored(handler, handling),
    running: new Map(),
    longestMs: options.delayMs === undefined ? longestUsualMs : longestDelayMs,
    beatenAt: Number.NEGATIVE_INFINITY,
    latest: undefined,
  };

  const stop = () => {
    stopping.abort();
    wakeSignal.send();
    return stopped;
  };
  if (signal?.aborted) stopping.abort();
  const stopped = work(consumer).finally(() => signal?.removeEventListener("abort", onSignal));
  const onSignal = () => void stop();
  signal?.addEventListener("abort", onSignal);
  return { stop, stopped, wake: wakeSignal.send };
}

function createWakeSignal() {
  let signal = new AbortController();
  return {
    send: () => signal.abort(),
    /** Waits for the next signal, or one since the last wait, at most so many milliseconds. */
    wait: async (ms: number) => {
      await pause(ms, signal.signal).catch(() => undefined);
      signal = new AbortController();
    },
  };
}

async function work(consumer: Consumer): Promise<void> {
  const { stopping, wakeSignal, pollMs, reportOutage } = consumer;
  while (!stopping.signal.aborted) {
    await takeTurn(consumer).catch((error: unknown) => {
      if (!stopping.signal.aborted) reportOutage("could not read events from the store", error);
    });
    if (!stopping.signal.aborted) await wakeSignal.wait(pollMs);
  }
  await end(consumer);
}

/** Once an hour: lines may fill a disk, too. */
function createReportOutage(log: Log, now: () => number): Consumer["reportOutage"] {
  const hint = createHint({ log: { ...log, warn: log.error }, count: () => undefined, now });
  return (message, error) => hint("", "", message, { appId: undefined, cause: describeError(error) });
}

async function takeTurn(consumer: Consumer): Promise<void> {
  const { database, lanes, heartbeats, running, stopping, concurrency, longestMs, latest, now } = consumer;
  const isRunning = () => !stopping.signal.aborted;
  const setBackMs = latest === undefined ? 0 : latest - now();
  consumer.latest = now();
  await beat(consumer, isRunning);
  // A clock that was set back would delay lanes. Small steps may recur.
  if (latest === undefined || setBackMs > 0)
    await transact(database, () => lanes.dueNow(setBackMs > longestUsualMs ? 0 : longestMs), isRunning);
  const current = [...running.values()].map(({ begun }) => begun);
  if (!lanes.hasWork(concurrency, current)) return;
  const take = () => lanes.take(heartbeats.owner, concurrency, current);
  for (const begun of await transact(database, take, isRunning)) {
    const lane = { begun };
    const run = runLane(lane, consumer).finally(() => {
      running.delete(run);
      consumer.wakeSignal.send();
    });
    running.set(run, lane);
  }
}

async function beat(consumer: Consumer, mayRetry: () => boolean): Promise<void> {
  const { database, heartbeats, leaseMs } = consumer;
  if (monotonic() - consumer.beatenAt < leaseMs / 4) return;
  await transact(database, () => heartbeats.beat(), mayRetry);
  consumer.beatenAt = monotonic();
}

async function runLane(lane: RunningLane, consumer: Consumer): Promise<void> {
  const { handle, stopping, log } = consumer;
  for (let count = 1; ; count += 1) {
    const settled = await handle(lane.begun);
    const goOn = count < mostInARow && !stopping.signal.aborted;
    const next = await storeOutcome(lane.begun, settled, goOn, consumer);
    if (next === "lost") log.warn("another process took over events that this process was handling", {});
    if (next === "lost" || next === undefined) return;
    lane.begun = next;
  }
}

/** Tries again, because finished work would otherwise be repeated. */
async function storeOutcome(
  begun: Begun,
  settled: Settled,
  goOn: boolean,
  {
    database,
    lanes,
    interrupting: { signal: interrupted },
    stopping: { signal: stopping },
    reportOutage,
  }: Consumer,
): Promise<ReturnType<SqliteLanes["settle"]>> {
  for (let waitMs = rewriteMs; ; waitMs = Math.min(2 * waitMs, longestRewriteMs)) {
    try {
      return await transact(
        database,
        () => lanes.settle(begun, settled, goOn),
        () => !interrupted.aborted,
      );
    } catch (error) {
      if (interrupted.aborted) return undefined;
      reportOutage("could not store an event's outcome; retrying", error);
      const pausing = stopping.aborted ? pause(rewriteMs, interrupted) : pause(waitMs, stopping);
      await pausing.catch(() => undefined);
    }
  }
}

async function end(consumer: Consumer): Promise<void> {
  const { database, heartbeats, running, interrupting, graceMs, leaseMs } = consumer;
  const grace = new AbortController();
  const allEnded = Promise.allSettled(running.keys());
  // Heartbeats continue while handlers finish.
  const beating = setInterval(() => void beat(consumer, () => false).catch(() => undefined), leaseMs / 4);
  await Promise.race([allEnded, pause(graceMs, grace.signal).catch(() => undefined)]);
  clearInterval(beating);
  grace.abort();
  interrupting.abort(new Error("The consumer stops."));
  await allEnded;
  await transact(
    database,
    () => heartbeats.leave(),
    () => false,
  ).catch(() => undefined);
  database.close();
}

const optionsSchema = /* @__PURE__ */ lazy(() => {
  const number = z.optional(z.custom<unknown>((value) => typeof value === "number", "a number"));
  return z.strictObject({
    concurrency: number,
    handlerMs: number,
    mostTries: number,
    delayMs: z.optional(aFunctionGiven()),
    signal: z.optional(z.instanceof(AbortSignal, { message: "an AbortSignal" })),
    graceMs: number,
    leaseMs: number,
    pollMs: number,
  });
});

function checkSettings(handler: unknown, settings: Readonly<Record<string, number>>): void {
  if (typeof handler !== "function") throw new TypeError("`consume` needs a function that handles an event.");
  for (const [name, value] of Object.entries(settings)) {
    const least = name === "graceMs" ? 0 : 1;
    if (!Number.isInteger(value) || value < least || value > longestTimerMs) {
      throw new RangeError(
        `\`${name}\` must be a whole number from ${least} to ${longestTimerMs}; it is ${value}.`,
      );
    }
  }
}

function monotonic(): number {
  return performance.now();
}
