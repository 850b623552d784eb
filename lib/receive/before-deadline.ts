/** Thrown when a deadline passed first. */
export class DeadlinePassedError extends Error {
  override readonly name = "DeadlinePassedError";
}

/** No request lives longer (docs/platform/webhooks.md#time-to-answer), wherever the clock was put meanwhile. */
const longestMs = 2_000;

/**
 * Gives what the work gives; what comes after the deadline is ignored.
 * @param deadlineMs milliseconds since 1970, at most 2 s ahead
 * @throws DeadlinePassedError
 */
export async function beforeDeadline<T>(work: Promise<T>, deadlineMs: number, now: () => number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const passed = new Promise<never>((_resolve, reject) => {
    const leftMs = Math.max(0, Math.min(deadlineMs - now(), longestMs));
    timer = setTimeout(() => reject(new DeadlinePassedError("There was no answer in time.")), leftMs);
  });
  try {
    return await Promise.race([work, passed]);
  } finally {
    clearTimeout(timer);
  }
}
