import { createHeap } from "../../cloud/queue/heap.ts";

/** Time that passes only when nothing is left to do. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Does something at a moment, or as soon as possible if that is over. Gives a function that calls it off. */
  at(ms: number, act: () => void): () => void;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Lets time pass until `isOver` says so, nothing is planned any more, or `untilMs` has come. */
  run(options: { readonly untilMs: number; readonly isOver?: () => boolean }): Promise<void>;
}

interface Timer {
  readonly atMs: number;
  readonly number: number;
  act: (() => void) | undefined;
}

/** Each virtual world begins then. */
export const epochMs = Date.UTC(2026, 2, 2, 8, 0, 0);

/** Makes a clock. Equal moments keep the order in which they were asked for, so that a run can be repeated. */
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

/** Makes what sleeps on a clock, until a moment or until it is called off. */
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

/** All edges of the world are promises of this process: one turn of the event loop runs whatever can run. */
function everythingRunnable(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Makes the time limits that the library takes from the platform (`AbortSignal.timeout`) virtual. Gives a function that undoes it. */
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
