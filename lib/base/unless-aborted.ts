/**
 * Does what may take long, but waits no longer than until an abort: then it rejects with the signal's reason, and what comes
 * later is ignored. Nothing is begun after an abort, and nothing is left listening.
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
