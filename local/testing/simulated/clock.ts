// Imported by name: with a test's fake global timer, the clock would never advance.
import { setImmediate } from "node:timers/promises";
import { createHeap } from "../../cloud/queue/heap.ts";

/** Advances only when nothing is left to do. */
export interface Clock {
  now(): number;
  /** Calls `act` at a time, or as soon as possible if it has passed. Returns a function that cancels. */
  at(ms: number, act: () => void): () => void;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Advances until `isOver` returns true, nothing is scheduled, or `untilMs` is reached. */
  run(options: { readonly untilMs: number; readonly isOver?: () => boolean }): Promise<void>;
}

interface Timer {
  readonly atMs: number;
  readonly number: number;
  act: (() => void) | undefined;
}

export interface Timers {
  nextMs(): number | undefined;
  count(): number;
}

export const epochMs = Date.UTC(2026, 2, 2, 8, 0, 0);

/** Equal times keep their order. @param settle continues what one turn of the event loop does not */
export function createClock({
  startMs = epochMs,
  settle,
}: {
  readonly startMs?: number;
  readonly settle?: (timers: Timers) => Promise<void>;
} = {}): Clock {
  let nowMs = startMs;
  let count = 0;
  const timers = createHeap<Timer>((one, other) =>
    one.atMs === other.atMs ? one.number < other.number : one.atMs < other.atMs,
  );

  const at: Clock["at"] = (ms, act) => {
    count += 1;
    const timer: Timer = { atMs: Math.max(Math.ceil(ms), nowMs), number: count, act };
    timers.push(timer);
    return () => {
      timer.act = undefined;
    };
  };
  const next = (): Timer | undefined => {
    for (;;) {
      const timer = timers.peek();
      if (timer === undefined || timer.act !== undefined) return timer;
      timers.pop();
    }
  };
  const ahead: Timers = { nextMs: () => next()?.atMs, count: () => count };

  return {
    now: () => nowMs,
    at,
    sleep: sleepOn(at, () => nowMs),
    run: async ({ untilMs, isOver = () => false }) => {
      for (;;) {
        // All edges are promises of this process: one turn runs everything that can run.
        await setImmediate();
        if (isOver()) return;
        if (settle !== undefined) {
          await settle(ahead);
          if (isOver()) return;
        }
        const timer = next();
        if (timer === undefined || timer.atMs > untilMs) {
          nowMs = Math.max(nowMs, untilMs);
          return;
        }
        timers.pop();
        nowMs = timer.atMs;
        timer.act?.();
      }
    },
  };
}

function sleepOn(at: Clock["at"], now: Clock["now"]): Clock["sleep"] {
  return (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const stop = () => {
        callOff();
        reject(signal?.reason);
      };
      const callOff = at(now() + Math.max(0, ms), () => {
        signal?.removeEventListener("abort", stop);
        resolve();
      });
      signal?.addEventListener("abort", stop, { once: true });
    });
}
