// Imported by name: with a test's fake global timers, this clock would never advance.
import { setImmediate, setTimeout } from "node:timers/promises";
import { type Clock, createClock, type Timers } from "../simulated/clock.ts";

/** Stops while anything outside of it is in progress. */
export interface KitClock extends Clock {
  /** Takes no time of this clock. @param giveUp rejects after this time if the work seems endless */
  outside<T>(work: Promise<T>, giveUp?: GiveUp): Promise<T>;
  /**
   * Reports a running handler, which may await what this clock does not know. Returns a function for its end.
   */
  enter(): () => void;
  /** While something runs in real time; for a limited time. */
  hold(isHeld: () => boolean): void;
}

export interface GiveUp {
  readonly afterMs: number;
  readonly error: () => Error;
}

/** After this long, something outside counts as hanging (real milliseconds): the first, and others. */
const hangsMs = [2_000, 50] as const;
/** A later wake-up is a time limit: first, what a handler awaits outside the kit gets a chance. */
export const limitMs = 15_000;
/** The length of that chance, in real milliseconds. */
const chanceMs = 250;
/** Turns of the event loop before a real millisecond's wait. */
const quickTurns = 10;

/** Creates a clock for one run of the test kit. It advances when nothing else is left to do during `run`. */
export function createKitClock(startMs: number): KitClock {
  let outside = 0;
  let hasHung = false;
  const handlers = new Set<object>();
  const holds: (() => boolean)[] = [];

  const settle = async (timers: Timers) => {
    do await setImmediate();
    while (outside > 0);
    const before = timers.count();
    const isFar = () => (timers.nextMs() ?? 0) - clock.now() > limitMs;
    const isOpen = () => handlers.size > 0 && isFar() && timers.count() === before && outside === 0;
    const isHeld = () => outside === 0 && holds.some((hold) => hold());
    let waitedMs = 0;
    for (let turns = 0; waitedMs < chanceMs && (isOpen() || isHeld()); turns += 1) {
      if (turns >= quickTurns) waitedMs += 2;
      await (turns < quickTurns ? setImmediate() : setTimeout(2));
    }
    if (outside > 0) await settle(timers);
  };
  const clock = createClock({ startMs, settle });

  return {
    ...clock,
    outside: async (work, giveUp) => {
      outside += 1;
      let isCounted = true;
      const end = () => {
        if (isCounted) outside -= 1;
        isCounted = false;
      };
      if (giveUp === undefined) return work.finally(end);
      const over = new AbortController();
      const { signal } = over;
      const hang = setTimeout(hangsMs[hasHung ? 1 : 0], undefined, { signal, ref: false }).then(() => {
        hasHung = true;
        end();
        return clock.sleep(giveUp.afterMs, signal);
      });
      try {
        return await Promise.race([
          work,
          hang.then(() => {
            throw giveUp.error();
          }),
        ]);
      } finally {
        end();
        over.abort();
      }
    },
    enter: () => {
      const handler = {};
      handlers.add(handler);
      return () => void handlers.delete(handler);
    },
    hold: (isHeld) => void holds.push(isHeld),
  };
}
