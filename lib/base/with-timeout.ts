import { pause } from "./pause.ts";

/** Runs work for at most `ms`, then does what `onTimeout` does. Ignores a later result or error of the work. */
export async function withTimeout<T, Late>(
  work: () => Promise<T>,
  ms: number,
  onTimeout: () => Late,
  sleep: (ms: number, signal: AbortSignal) => Promise<void> = pause,
): Promise<T | Late> {
  const timer = new AbortController();
  const late = sleep(ms, timer.signal).then(onTimeout, () => new Promise<never>(() => {}));
  try {
    return await Promise.race([work(), late]);
  } finally {
    timer.abort();
  }
}
