import { createHeap } from "../../cloud/queue/heap.ts";

/** A clock that advances only when nothing is left to do. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls `act` at a time, or as soon as possible if it has passed. Returns the function that cancels it. */
  at(ms: number, act: () => void): () => void;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Advances time until `isOver` returns true, nothing is scheduled, or `untilMs` is reached. */
  run(options: { readonly untilMs: number; readonly isOver?: () => boolean }): Promise<void>;
}

interface Timer {
  readonly atMs: number;
  readonly number: number;
  act: (() => void) | undefined;
}

/** The start of each virtual clock. */
export const epochMs = Date.UTC(2026, 2, 2, 8, 0, 0);

/**
 * Creates a clock. Equal times keep the order in which they were scheduled, so that runs are reproducible.
 */
export function createClock(): Clock {
  let nowMs = epochMs;
  let count = 0;
  const timers = createHeap<Timer>((one, other) =>
    one.atMs === other.atMs ? one.number < other.number : one.atMs < other.atMs,
  );

  const at: Clock["at"] = (ms, act) => {
    count += 1;
    const timer: Timer = { atMs: Math.max(ms, nowMs), number: count, act };
    timers.push(timer);
    return () => {
      timer.act = undefined;
    };
  };

  return {
    now: () => nowMs,
    at,
    sleep: sleepOn(at, () => nowMs),
    run: async ({ untilMs, isOver = () => false }) => {
      for (;;) {
        await everythingRunnable();
        if (isOver()) return;
        const next = timers.peek();
        if (next === undefined || next.atMs > untilMs) {
          nowMs = Math.max(nowMs, untilMs);
          return;
        }
        timers.pop();
        if (next.act === undefined) continue;
        nowMs = next.atMs;
        next.act();
      }
    },
  };
}

/** Creates a sleep function on a clock, which can be cancelled. */
export function sleepOn(at: Clock["at"], now: Clock["now"]): Clock["sleep"] {
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

/** All edges are promises of this process: one turn of the event loop runs everything that can run. */
function everythingRunnable(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Makes the library's time limits (`AbortSignal.timeout`) virtual. Returns the function that undoes it. */
export function useVirtualTimeouts(clock: Clock): () => void {
  const real = AbortSignal.timeout;
  AbortSignal.timeout = (ms) => {
    const controller = new AbortController();
    clock.at(clock.now() + ms, () =>
      controller.abort(new DOMException("The operation was aborted due to timeout", "TimeoutError")),
    );
    return controller.signal;
  };
  return () => {
    AbortSignal.timeout = real;
  };
}
