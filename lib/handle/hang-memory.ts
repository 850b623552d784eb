const suspectMs = 10 * 60_000;
const windowMs = 60 * 60_000;
const fewestEnds = 10;
const shortestMs = 3_000;
/** For a process that does not know yet how long the trigger takes. */
const unknownMs = 10_000;
/** Leaves room for a trigger that becomes slower. */
const factor = 4;

interface Known {
  ends: number;
  /** The slowest run of this window and the one before. */
  slowest: readonly [now: number, before: number];
  window: number;
  hungAtMs: number;
}

/**
 * Remembers in this process how long an app's triggers take and which hung: one that hangs in some
 * conversations never opens its breaker, and would hold a whole batch for 28 s in each.
 */
export type HangMemory = ReturnType<typeof createHangMemory>;

export function createHangMemory(now: () => number) {
  const triggers = new Map<string, Known>();
  const knownOf = (appId: string, name: string): Known => {
    const key = `${appId} ${name}`;
    const window = Math.floor(now() / windowMs);
    const known = triggers.get(key) ?? { ends: 0, slowest: [0, 0], window, hungAtMs: -suspectMs };
    triggers.set(key, known);
    if (window > known.window) known.slowest = [0, window === known.window + 1 ? known.slowest[0] : 0];
    known.window = window;
    return known;
  };
  return {
    noteHung: (appId: string, name: string): void => {
      knownOf(appId, name).hungAtMs = now();
    },
    noteEnded: (appId: string, name: string, tookMs: number): void => {
      const known = knownOf(appId, name);
      const [slowest, before] = known.slowest;
      known.ends += 1;
      known.slowest = [Math.max(slowest, tookMs), before];
    },
    /**
     * For a trigger that hung within ten minutes, in a conversation's lane: four times as long as the slowest
     * of its runs that ended, and at least 3 s, or 10 s before ten ended. Undefined: as long as the event.
     * `isGuess`: nothing in this process shows that it hangs.
     * @param hungElsewhereMs when it hung in any process
     */
    limitOf: (appId: string, name: string, hungElsewhereMs = 0) => {
      const { ends, slowest, hungAtMs } = knownOf(appId, name);
      const hungHere = now() - hungAtMs < suspectMs;
      if (!hungHere && now() - hungElsewhereMs >= suspectMs) return undefined;
      const isKnown = ends >= fewestEnds;
      const limitMs = Math.max(isKnown ? shortestMs : unknownMs, factor * Math.max(...slowest));
      return { limitMs, isGuess: !isKnown && !hungHere };
    },
  };
}
