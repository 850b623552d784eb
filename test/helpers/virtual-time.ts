/** A time that passes only when no other work is left: a minute takes as long as its work. */
export interface VirtualTime {
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  /** Lets time pass until no sleeper is left. */
  run(): Promise<void>;
}

/** Makes a time that begins at `startMs`. Sleepers due at one moment wake in the order of their calls. */
export function createVirtualTime(startMs: number): VirtualTime {
  let nowMs = startMs;
  const sleepers: { readonly atMs: number; readonly wake: () => void }[] = [];

  return {
    now: () => nowMs,
    sleep: (ms) =>
      new Promise((wake) => {
        const atMs = nowMs + Math.max(0, ms);
        const place = sleepers.findLastIndex((sleeper) => sleeper.atMs <= atMs) + 1;
        sleepers.splice(place, 0, { atMs, wake });
      }),
    run: async () => {
      for (;;) {
        await new Promise(setImmediate); // all work that can run at this moment runs
        const next = sleepers.shift();
        if (next === undefined) return;
        nowMs = next.atMs;
        next.wake();
      }
    },
  };
}
