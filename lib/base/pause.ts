/**
 * Waits. Rejects with the signal's reason if it is aborted. Loads Node's timers on first use, because most
 * runs of a function never wait.
 */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return process.getBuiltinModule("node:timers/promises").setTimeout(ms, undefined, { signal });
}
