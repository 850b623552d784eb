/** Wakes one who waits. */
export interface Doorbell {
  ring(): void;
  /** Resolves at the next ring, at once if it has rung since the last wait, and after so many milliseconds at the latest. */
  wait(ms: number): Promise<void>;
}

/** Makes a bell that is heard also by who comes to listen a moment later. */
export function createDoorbell(): Doorbell {
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
