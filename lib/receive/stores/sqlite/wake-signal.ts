import { pause } from "../../../base/timers.ts";

export type WakeSignal = ReturnType<typeof createWakeSignal>;

export function createWakeSignal() {
  let signal = new AbortController();
  return {
    send: (): void => signal.abort(),
    /** Waits for the next signal, or one since the last wait, at most so many milliseconds. */
    wait: async (ms: number): Promise<void> => {
      await pause(ms, signal.signal).catch(() => undefined);
      signal = new AbortController();
    },
  };
}
