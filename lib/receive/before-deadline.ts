import { OwnError } from "../base/errors.ts";
import { withTimeout } from "../base/timers.ts";

export class DeadlinePassedError extends OwnError {
  override readonly name = "DeadlinePassedError";
}

/** Maximum wait (docs/internals/platform/webhooks.md#time-to-answer), even if the clock is set. */
const longestMs = 2_000;

/** Awaits work until a deadline at most 2 s ahead. @throws DeadlinePassedError */
export async function beforeDeadline<T>(work: Promise<T>, deadlineMs: number, now: () => number): Promise<T> {
  const leftMs = Math.max(0, Math.min(deadlineMs - now(), longestMs));
  return await withTimeout(
    () => work,
    leftMs,
    () => {
      throw new DeadlinePassedError("There was no answer in time.");
    },
  );
}
