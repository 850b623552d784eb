/** A time that passes when nothing else is to be done: a minute takes as long as what happens in it. */
export interface VirtualTime {
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  /** Lets time pass until nobody sleeps any more. */
  run(): Promise<void>;
}

/** Makes a time that begins at `startMs`. Those who wake at the same moment wake in the order in which they lay down. */
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
        await new Promise(setImmediate); // all that can go on at this moment goes on
        const next = sleepers.shift();
        if (next === undefined) return;
        nowMs = next.atMs;
        next.wake();
      }
    },
  };
}
