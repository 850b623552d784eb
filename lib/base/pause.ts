/** Rejects with the signal's reason. Loads Node's timers at first use, because most runs never wait. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return process.getBuiltinModule("node:timers/promises").setTimeout(ms, undefined, { signal });
}
