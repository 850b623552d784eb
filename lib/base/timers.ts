/** Rejects with the signal's reason. Loads Node's timers at first use, because most runs never wait. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return process.getBuiltinModule("node:timers/promises").setTimeout(ms, undefined, { signal });
}

/** After `ms`, returns or throws as `onTimeout`, and ignores a later result or error. */
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
