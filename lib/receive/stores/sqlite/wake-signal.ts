import { pause } from "../../../base/pause.ts";

export type WakeSignal = ReturnType<typeof createWakeSignal>;

export function createWakeSignal() {
  let bell = new AbortController();
  return {
    ring: (): void => bell.abort(),
    /** Until the next ring, or one since the last wait, at most so many milliseconds. */
    wait: async (ms: number): Promise<void> => {
      await pause(ms, bell.signal).catch(() => undefined);
      bell = new AbortController();
    },
  };
}
