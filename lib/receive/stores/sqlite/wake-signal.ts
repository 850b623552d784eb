export type WakeSignal = ReturnType<typeof createWakeSignal>;

export function createWakeSignal() {
  let hasRung = false;
  let wake: (() => void) | undefined;
  return {
    ring: (): void => {
      hasRung = true;
      wake?.();
    },
    /** Until the next ring (also one since the last wait), or so many milliseconds. */
    wait: async (ms: number): Promise<void> => {
      if (!hasRung) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      hasRung = false;
      wake = undefined;
    },
  };
}
