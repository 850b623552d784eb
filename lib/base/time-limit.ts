import { OwnError } from "./errors.ts";
import { unlessAborted } from "./unless-aborted.ts";

export class OutOfTimeError extends OwnError {
  override readonly name = "OutOfTimeError";

  constructor(limitMs: number) {
    super(`There was no answer within ${limitMs} ms.`);
  }
}

/** Dispose it after the last step. */
export interface TimeLimit extends Disposable {
  /** In milliseconds since 1970. */
  readonly endsAt: number;
  readonly signal: AbortSignal;
  /** Ignores a later result. @throws OutOfTimeError */
  within<T>(work: () => Promise<T>): Promise<T>;
  /** Compares the clock: no timer runs while the processor is busy. @throws OutOfTimeError */
  check(): void;
}

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
