/** Rejects with the signal's reason and ignores a later result. Does not start after an abort. */
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
