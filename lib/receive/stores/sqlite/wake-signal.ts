export interface WakeSignal {
  ring(): void;
  /** Until the next ring (also one since the last wait), or so many milliseconds. */
  wait(ms: number): Promise<void>;
}

export function createWakeSignal(): WakeSignal {
  let hasRung = false;
  let wake: (() => void) | undefined;
  return {
    ring: () => {
      hasRung = true;
      wake?.();
    },
    wait: async (ms) => {
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
