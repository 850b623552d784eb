import { unlessAborted } from "./unless-aborted.ts";

/** Thrown when time is up. */
export class OutOfTimeError extends Error {
  override readonly name = "OutOfTimeError";

  constructor(limitMs: number) {
    super(`There was no answer within ${limitMs} ms.`);
  }
}

/** One limit for several steps. Dispose it when they are done. */
export interface TimeLimit extends Disposable {
  /** In milliseconds since 1970. */
  readonly endsAt: number;
  /** Ends when time is up. */
  readonly signal: AbortSignal;
  /** Does work and gives what it gives; what comes later is ignored. @throws OutOfTimeError when time is up */
  within<T>(work: () => Promise<T>): Promise<T>;
  /** Looks at the clock, too: no timer runs while the processor is kept busy. @throws OutOfTimeError when time is up */
  check(): void;
}

/** Starts a limit that ends in so many milliseconds. */
export function startTimeLimit(limitMs: number, now: () => number): TimeLimit {
  const endsAt = now() + limitMs;
  const stop = new AbortController();
  const end = () => {
    const error = new OutOfTimeError(limitMs);
    stop.abort(error);
    return error;
  };
  const timer = setTimeout(end, limitMs);
  return {
    endsAt,
    signal: stop.signal,
    within: (work) => unlessAborted(stop.signal, work),
    check: () => {
      if (stop.signal.aborted || now() >= endsAt) throw end();
    },
    [Symbol.dispose]: () => clearTimeout(timer),
  };
}
