export interface WakeSignal {
  ring(): void;
  /** Until the next ring, immediately if it rang since the last wait; so many milliseconds at most. */
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
