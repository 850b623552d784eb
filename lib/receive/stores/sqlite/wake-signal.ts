/** A signal that wakes one waiter. */
export interface WakeSignal {
  ring(): void;
  /**
   * Resolves at the next ring, immediately if it rang since the last wait, and after so many milliseconds at
   * the latest.
   */
  wait(ms: number): Promise<void>;
}

/** Creates a signal that is also seen by a waiter that arrives a moment later. */
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
