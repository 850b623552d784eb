/**
 * The maximum: a longer delay would fire immediately.
 * @see https://nodejs.org/api/timers.html#settimeoutcallback-delay-args
 */
export const longestTimerMs = 2 ** 31 - 1;

/** Rejects with the signal's reason. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      resolve();
    }, ms);
    signal?.addEventListener("abort", abort);
  });
}

/** After `ms`, returns or throws as `onTimeout`, and ignores a later result or error. */
export async function withTimeout<T, Late>(
  work: () => Promise<T>,
  ms: number,
  onTimeout: () => Late,
  sleep: (ms: number, signal: AbortSignal) => Promise<void> = pause,
): Promise<T | Late> {
  if (ms > longestTimerMs) return work();
  const timer = new AbortController();
  const late = sleep(ms, timer.signal).then(onTimeout, () => new Promise<never>(() => {}));
  try {
    return await Promise.race([work(), late]);
  } finally {
    timer.abort();
  }
}
