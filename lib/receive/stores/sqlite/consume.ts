import type { DatabaseSync } from "node:sqlite";
import * as z from "zod/mini";
import { describeError } from "../../../base/describe-error.ts";
import { lazy } from "../../../base/lazy.ts";
import type { Log } from "../../../base/log.ts";
import { pause } from "../../../base/pause.ts";
import { aFunctionGiven, checkCall } from "../../../chat/check-call.ts";
import { retryDelayMsAfter } from "../../../queue/lanes/retry-delay.ts";
import { createHandleStored, type StoredEventHandler } from "./handle-stored.ts";
import { createHeartbeatRegistry } from "./heartbeat-registry.ts";
import { type Begun, createSqliteLanes, type SqliteLanes } from "./lanes.ts";
import { openStoreFile } from "./open-store-file.ts";
import { transact } from "./transact.ts";
import { createWakeSignal } from "./wake-signal.ts";

/** Options of a consumer of a store in a file. */
export interface ConsumeOptions {
  /** Lanes at a time. Default: 10. */
  readonly concurrency?: number;
  /** A handler's maximum, in milliseconds. Default: 30,000. */
  readonly handlerMs?: number;
  /** Then the event is dead-lettered. Default: 10. */
  readonly mostTries?: number;
  /**
   * A lane's wait after its first event's n-th try. Default: 5, 15, 45 s and so on up to 12 minutes, with
   * jitter.
   */
  readonly delayMs?: (tries: number) => number;
  /** Stops the consumer, like `stop`. */
  readonly signal?: AbortSignal;
  /** For running handlers at `stop`, in milliseconds. Default: 10,000. */
  readonly graceMs?: number;
  /** Another process's silence, in milliseconds, after which its lanes are taken over. Default: 10,000. */
  readonly leaseMs?: number;
  /** How often other processes' writes are looked for, in milliseconds. Default: 250. */
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

const inARow = 20;
const unwrittenMs = 250;

/**
 * With its own connection.
 * @returns the consumer, and a function that notifies it of new events
 * @throws StoreFileError, RangeError, TypeError, InvalidInputError
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
  // Outcomes need not be on the disk immediately: after a power loss the events are delivered again.
  const database = openStoreFile(file, false);
  const lanes = createSqliteLanes(database, now, mostTries);
  const { randomUUID } = process.getBuiltinModule("node:crypto");
  const heartbeats = createHeartbeatRegistry(database, leaseMs, monotonic, randomUUID);
  const wakeSignal = createWakeSignal();
  const stopping = new AbortController();
  const interrupting = new AbortController();
  const { signal: interrupted } = interrupting;
  const handle = createHandleStored(handler, { handlerMs, mostTries, delayMs, now, log, interrupted });
  const running = new Set<Promise<void>>();
  let beatenAt = Number.NEGATIVE_INFINITY;
  let latest: number | undefined;

  const settle = createSettle(database, lanes, interrupted, log);
  const runLane = async (first: Begun): Promise<void> => {
    let next: Begun | undefined = first;
    for (let count = 1; next !== undefined; count += 1) {
      const settled = await handle(next);
      const followed = await settle(next, settled, count < inARow && !stopping.signal.aborted);
      if (followed === "lost") log.warn("another process took over what was handled here", {});
      next = followed === "lost" ? undefined : followed;
    }
  };

  const start = (begun: Begun): void => {
    const run = runLane(begun).finally(() => {
      running.delete(run);
      wakeSignal.ring();
    });
    running.add(run);
  };

  const beat = async (isWorthIt: () => boolean): Promise<void> => {
    if (monotonic() - beatenAt < leaseMs / 4) return;
    await transact(database, () => heartbeats.beat(), isWorthIt);
    beatenAt = monotonic();
  };

  const isGoingOn = () => !stopping.signal.aborted;
  const turn = async (): Promise<void> => {
    const isFirst = latest === undefined;
    const isPutBack = now() < (latest ?? 0);
    latest = now();
    await beat(isGoingOn);
    // A clock that was set back, now or before this process began, would delay lanes by as much.
    const longestMs = isPutBack ? 0 : options.delayMs === undefined ? longestUsualMs : longestDelayMs;
    if (isFirst || isPutBack) await transact(database, () => lanes.dueNow(longestMs), isGoingOn);
    const free = concurrency - running.size;
    if (free <= 0 || !lanes.hasWork()) return;
    const begun = await transact(database, () => lanes.take(heartbeats.owner, free), isGoingOn);
    begun.forEach(start);
  };

  const work = async (): Promise<void> => {
    while (isGoingOn()) {
      await turn().catch((error: unknown) => {
        if (isGoingOn()) log.error("could not take events", { cause: describeError(error) });
      });
      if (isGoingOn()) await wakeSignal.wait(pollMs);
    }
    const grace = new AbortController();
    const allEnded = Promise.allSettled(running);
    // A process that waits for handlers is alive: no other may begin their events.
    const beating = setInterval(() => void beat(() => false).catch(() => undefined), leaseMs / 4);
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
  };

  const stop = () => {
    stopping.abort();
    wakeSignal.ring();
    return stopped;
  };
  if (signal?.aborted) stopping.abort();
  const stopped = work().finally(() => signal?.removeEventListener("abort", onSignal));
  const onSignal = () => void stop();
  signal?.addEventListener("abort", onSignal);
  return { stop, stopped, wake: wakeSignal.ring };
}

/** Retries: otherwise finished work would be repeated. */
function createSettle(database: DatabaseSync, lanes: SqliteLanes, interrupted: AbortSignal, log: Log) {
  return async (
    ...settled: Parameters<SqliteLanes["settle"]>
  ): Promise<ReturnType<SqliteLanes["settle"]>> => {
    for (;;) {
      try {
        return await transact(
          database,
          () => lanes.settle(...settled),
          () => !interrupted.aborted,
        );
      } catch (error) {
        if (interrupted.aborted) return undefined;
        log.error("could not write what became of an event", { cause: describeError(error) });
        await pause(unwrittenMs, interrupted).catch(() => undefined);
      }
    }
  };
}

const optionsSchema = /* @__PURE__ */ lazy(() => {
  const number = z.optional(z.custom<unknown>((value) => typeof value === "number", "a number"));
  return z.strictObject({
    ...{ concurrency: number, handlerMs: number, mostTries: number },
    delayMs: z.optional(aFunctionGiven()),
    signal: z.optional(z.instanceof(AbortSignal, { message: "an AbortSignal" })),
    ...{ graceMs: number, leaseMs: number, pollMs: number },
  });
});

/** Of a timer, in milliseconds. */
const longestTimerMs = 2_147_483_647; // 2^31 - 1

/** A timer treats too large values as one millisecond. */
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

/** @see retryDelayMsAfter */
const longestUsualMs = 900_000;
const longestDelayMs = 31_536_000_000; // 365 days

/** Uses the default time if `delayMs` throws: the lane would stop. */
function neverFailing(delayMs: (tries: number) => number): (tries: number) => number {
  return (tries) => {
    try {
      const ms = delayMs(tries);
      return Number.isFinite(ms) ? Math.min(ms, longestDelayMs) : usualDelayMs(tries);
    } catch {
      return usualDelayMs(tries);
    }
  };
}

function monotonic(): number {
  return performance.now();
}

function usualDelayMs(tries: number): number {
  return retryDelayMsAfter(tries, Math.random());
}
