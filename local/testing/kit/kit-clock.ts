// Imported by name: a test's fake timers replace the global ones, and this clock would never advance.
import { setImmediate, setTimeout } from "node:timers/promises";
import { createHeap } from "../../cloud/queue/heap.ts";
import { type Clock, sleepOn } from "../world/clock.ts";

/** A clock that stops while anything outside of it is in progress. */
export interface KitClock extends Clock {
  /** Awaits something that takes no time of this clock, such as an answer of the in-memory platform. */
  outside<T>(work: Promise<T>): Promise<T>;
  /**
   * Reports that a handler runs, which may await what this clock does not know. Returns the function that
   * reports its end.
   */
  enter(): () => void;
  /** Stops while `isHeld` returns true, because something runs in real time; for a limited time. */
  hold(isHeld: () => boolean): void;
}

interface Timer {
  readonly atMs: number;
  readonly number: number;
  act: (() => void) | undefined;
}

/** A later wake-up is a time limit: before it fires, what a handler awaits outside the kit gets a chance. */
const limitMs = 15_000;
/** The length of that chance, in real milliseconds. */
const patienceMs = 250;
/** Turns of the event loop before it waits a real millisecond. */
const quickTurns = 10;

/** Creates a clock for one run of the test kit. It advances when nothing else is left to do during `run`. */
export function createKitClock(startMs: number): KitClock {
  let nowMs = startMs;
  let count = 0;
  let outside = 0;
  const handlers = new Set<object>();
  const holds: (() => boolean)[] = [];
  const timers = createHeap<Timer>((one, other) =>
    one.atMs === other.atMs ? one.number < other.number : one.atMs < other.atMs,
  );

  const at: Clock["at"] = (ms, act) => {
    count += 1;
    const timer: Timer = { atMs: Math.max(ms, nowMs), number: count, act };
    timers.push(timer);
    return () => {
      timer.act = undefined;
    };
  };

  const next = (): Timer | undefined => {
    for (;;) {
      const timer = timers.peek();
      if (timer === undefined || timer.act !== undefined) return timer;
      timers.pop();
    }
  };

  /** Lets everything continue that can. */
  const settle = async (): Promise<void> => {
    do await setImmediate();
    while (outside > 0);
    const before = count;
    let waitedMs = 0;
    const isOpen = () => handlers.size > 0 && isFar(next()) && count === before && outside === 0;
    const isHeld = () => outside === 0 && holds.some((hold) => hold());
    for (let turns = 0; waitedMs < patienceMs && (isOpen() || isHeld()); turns += 1) {
      if (turns >= quickTurns) waitedMs += 2;
      await (turns < quickTurns ? setImmediate() : setTimeout(2));
    }
    if (outside > 0) await settle();
  };
  const isFar = (timer: Timer | undefined) => timer !== undefined && timer.atMs - nowMs > limitMs;

  return {
    now: () => nowMs,
    at,
    outside: async (work) => {
      outside += 1;
      try {
        return await work;
      } finally {
        outside -= 1;
      }
    },
    enter: () => {
      const handler = {};
      handlers.add(handler);
      return () => void handlers.delete(handler);
    },
    hold: (isHeld) => void holds.push(isHeld),
    sleep: sleepOn(at, () => nowMs),
    run: async ({ untilMs, isOver = () => false }) => {
      for (;;) {
        await setImmediate();
        if (isOver()) return;
        await settle();
        if (isOver()) return;
        const timer = next();
        if (timer === undefined || timer.atMs > untilMs) {
          nowMs = Math.max(nowMs, untilMs);
          return;
        }
        timers.pop();
        nowMs = timer.atMs;
        timer.act?.();
      }
    },
  };
}
