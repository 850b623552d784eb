/**
 * Waits; rejects with the signal's reason when it is aborted. Node's timers are loaded when they are first needed: most
 * runs of a function never wait.
 */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  const { scheduler } = process.getBuiltinModule("node:timers/promises");
  await scheduler.wait(ms, signal ? { signal } : {});
}
