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
 * Remembers in this process how long triggers take and which hung: one that hangs in some conversations
 * never opens its breaker, and would hold a whole batch for 28 s in each.
 */
export type HangMemory = ReturnType<typeof createHangMemory>;

export function createHangMemory(now: () => number) {
  const triggers = new Map<string, Known>();
  const knownOf = (name: string): Known => {
    const window = Math.floor(now() / windowMs);
    const known = triggers.get(name) ?? { ends: 0, slowest: [0, 0], window, hungAtMs: -suspectMs };
    triggers.set(name, known);
    if (window > known.window) known.slowest = [0, window === known.window + 1 ? known.slowest[0] : 0];
    known.window = window;
    return known;
  };
  return {
    noteHung: (name: string): void => {
      knownOf(name).hungAtMs = now();
    },
    noteEnded: (name: string, tookMs: number): void => {
      const known = knownOf(name);
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
    limitOf: (name: string, hungElsewhereMs = 0) => {
      const { ends, slowest, hungAtMs } = knownOf(name);
      const hungHere = now() - hungAtMs < suspectMs;
      if (!hungHere && now() - hungElsewhereMs >= suspectMs) return undefined;
      const isKnown = ends >= fewestEnds;
      const limitMs = Math.max(isKnown ? shortestMs : unknownMs, factor * Math.max(...slowest));
      return { limitMs, isGuess: !isKnown && !hungHere };
    },
  };
}
