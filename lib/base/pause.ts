/**
 * Waits; rejects with the signal's reason when it is aborted. Node's timers are loaded when they are first needed: most
 * runs of a function never wait.
 */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return process.getBuiltinModule("node:timers/promises").setTimeout(ms, undefined, { signal });
}
