/**
 * Runs work until the signal is aborted, then rejects with the signal's reason and ignores a later result.
 * Does not start after an abort, and removes its listener.
 */
export async function unlessAborted<T>(signal: AbortSignal | undefined, act: () => Promise<T>): Promise<T> {
  if (!signal) return act();
  signal.throwIfAborted();
  let abort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason);
  });
  signal.addEventListener("abort", abort);
  try {
    return await Promise.race([act(), aborted]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
