import type { Timer, VirtualClock } from "../../platform/services/clock.ts";

/** A clock's setting: milliseconds ahead of the machine's clock, or frozen. */
export interface ClockSetting {
  readonly offsetMs: number;
  /** The frozen time, in milliseconds since 1970; absent while it runs. */
  readonly frozenAtMs?: number | undefined;
}

/** Something that falls due without being scheduled on the clock, such as a delayed message. */
export interface TimeSource {
  /**
   * Returns when something falls due next, in milliseconds since 1970; undefined if nothing waits. A source
   * that may skip what is due before `untilMs` may return a later time.
   */
  nextAtMs(untilMs: number): number | undefined;
  /** Does what is due now. Absent if it runs by itself once due. */
  runDue?(): Promise<void>;
}

/** The result of moving the clock. */
export interface Moved {
  readonly nowMs: number;
  /** False if it took too long: time stopped at `nowMs`, before its target. */
  readonly isDone: boolean;
  /** How many times something fell due on the way. */
  readonly steps: number;
}

/**
 * A clock that runs like the machine's, and can be moved forward, frozen and released. `advance` is `moveTo`
 * by a duration, so that it is also a VirtualClock.
 */
export interface WorldClock extends VirtualClock {
  readonly setting: ClockSetting;
  /** The setting that remains if a move in progress stops here. */
  readonly resting: ClockSetting;
  readonly isMoving: boolean;
  /**
   * Moves the clock forward, never back. What falls due happens at its time, in order, each with all its
   * consequences before the next. Moves run one after the other.
   * @param at milliseconds since 1970, or a function that returns them once no other move is in progress
   * @param limits.forMs milliseconds of real time after which no further step starts. Default 60,000
   */
  moveTo(at: number | (() => number), limits?: { readonly forMs?: number }): Promise<Moved>;
  /** Does something between moves: later moves wait. */
  alone<T>(work: () => Promise<T>): Promise<T>;
  /** When something falls due next, in milliseconds since 1970; undefined if nothing waits. */
  nextAtMs(): number | undefined;
  freeze(): void;
  /** Lets a frozen clock continue from its time. */
  letGo(): void;
  /**
   * Sets the clock to any time, also back, without triggering what is due. For a stack whose state is
   * replaced at the same time.
   */
  set(setting: ClockSetting): void;
  /** Adds a source; returns the function that removes it. */
  addSource(source: TimeSource): () => void;
  /** Calls the listener when time has jumped, stopped or continued. */
  onChange(listener: () => void): void;
  /** Cancels every timer. */
  close(): void;
}

interface Entry {
  readonly atMs: number;
  readonly order: number;
  readonly task: () => void | Promise<void>;
  handle?: NodeJS.Timeout | undefined;
}

/** The maximum of Node's timers. @see https://nodejs.org/api/timers.html#settimeoutcallback-delay-args */
const longestTimerMs = 2 ** 31 - 1;
const defaultLimitMs = 60_000;

/** Creates a clock with a setting. Its timers do not keep the process alive. */
export function createWorldClock(
  initial: ClockSetting = { offsetMs: 0 },
  machineNow: () => number = Date.now,
): WorldClock {
  let { offsetMs, frozenAtMs } = initial;
  let nextOrder = 0;
  let running: Promise<unknown> = Promise.resolve();
  let isMoving = false;
  // Whether time is frozen after a move.
  let staysFrozen = false;
  let isClosed = false;
  const pending = new Set<Entry>();
  const sources = new Set<TimeSource>();
  const joined: (() => Promise<void>)[] = [];
  const listeners: (() => void)[] = [];

  const now = () => frozenAtMs ?? machineNow() + offsetMs;
  const tell = () => {
    for (const listener of listeners) listener();
  };
  const arm = (entry: Entry) => {
    clearTimeout(entry.handle);
    if (frozenAtMs !== undefined || isClosed) return armIfDue(entry);
    const waitMs = Math.min(Math.max(0, entry.atMs - now()), longestTimerMs);
    entry.handle = setTimeout(() => fire(entry), waitMs).unref();
  };
  // On a frozen clock, what is due already still happens.
  const armIfDue = (entry: Entry) => {
    if (isClosed || isMoving || entry.atMs > now()) return;
    entry.handle = setTimeout(() => fire(entry), 0).unref();
  };
  const fire = (entry: Entry) => {
    if (isMoving || !pending.has(entry)) return;
    if (entry.atMs > now()) return arm(entry);
    pending.delete(entry);
    void entry.task();
  };
  const armAll = () => {
    for (const entry of pending) arm(entry);
  };
  const settleAll = async () => {
    for (const settle of joined) await settle();
  };
  const changeTo = (setting: ClockSetting) => {
    ({ offsetMs, frozenAtMs } = setting);
    armAll();
    tell();
  };

  const move = async (targetMs: number, forMs: number): Promise<Moved> => {
    const endsAt = performance.now() + forMs;
    staysFrozen = frozenAtMs !== undefined;
    let isDone = true;
    let steps = 0;
    isMoving = true;
    // During a move, time changes only by steps.
    let atMs = now();
    const stepTo = (nextMs: number) => {
      atMs = Math.max(atMs, nextMs);
      frozenAtMs = atMs;
      tell();
    };
    stepTo(atMs);
    try {
      await settleAll();
      // A source that stays due after its turn would stop time forever.
      let stuck = new Set<TimeSource>();
      for (;;) {
        const due = firstDue({ pending, sources, stuck }, targetMs);
        if (due === undefined) break;
        if (performance.now() >= endsAt) {
          isDone = false;
          break;
        }
        steps += 1;
        if (due.atMs > atMs) stuck = new Set();
        stepTo(due.atMs);
        if (due.kind === "task") {
          pending.delete(due.entry);
          await due.entry.task();
        } else {
          await due.source.runDue?.();
        }
        await settleAll();
        if (due.kind === "source" && (due.source.nextAtMs(targetMs) ?? Number.POSITIVE_INFINITY) <= atMs) {
          stuck.add(due.source);
        }
      }
      if (isDone) stepTo(targetMs);
      await settleAll();
    } finally {
      const { resting } = clock;
      isMoving = false;
      changeTo(resting);
    }
    return { nowMs: atMs, isDone, steps };
  };

  const clock: WorldClock = {
    now,
    schedule(atMs, task): Timer {
      const entry: Entry = { atMs, order: nextOrder++, task };
      pending.add(entry);
      arm(entry);
      return {
        cancel() {
          clearTimeout(entry.handle);
          pending.delete(entry);
        },
      };
    },
    pendingTasks: () => pending.size,
    joinBeforeAdvance(settle) {
      joined.push(settle);
    },
    async advance(ms) {
      await clock.moveTo(() => now() + ms);
    },
    get setting() {
      return frozenAtMs === undefined ? { offsetMs } : { offsetMs, frozenAtMs };
    },
    get resting() {
      return isMoving && !staysFrozen ? { offsetMs: now() - machineNow() } : clock.setting;
    },
    get isMoving() {
      return isMoving;
    },
    moveTo: (at, { forMs = defaultLimitMs } = {}) =>
      clock.alone(() => move(typeof at === "number" ? at : at(), forMs)),
    alone(work) {
      const done = running.then(work);
      running = done.catch(() => {});
      return done;
    },
    nextAtMs: () => firstDue({ pending, sources, stuck: new Set() }, Number.POSITIVE_INFINITY)?.atMs,
    freeze() {
      staysFrozen = true;
      if (frozenAtMs === undefined) changeTo({ offsetMs, frozenAtMs: now() });
    },
    letGo() {
      staysFrozen = false;
      if (frozenAtMs !== undefined && !isMoving) changeTo({ offsetMs: frozenAtMs - machineNow() });
    },
    set: changeTo,
    addSource(source) {
      sources.add(source);
      return () => void sources.delete(source);
    },
    onChange(listener) {
      listeners.push(listener);
    },
    close() {
      isClosed = true;
      for (const { handle } of pending) clearTimeout(handle);
    },
  };
  return clock;
}

type Due =
  | { readonly kind: "task"; readonly atMs: number; readonly entry: Entry }
  | { readonly kind: "source"; readonly atMs: number; readonly source: TimeSource };

function firstDue(
  waiting: { pending: Set<Entry>; sources: Set<TimeSource>; stuck: Set<TimeSource> },
  untilMs: number,
): Due | undefined {
  let first: Due | undefined;
  for (const source of waiting.sources) {
    if (waiting.stuck.has(source)) continue;
    const atMs = source.nextAtMs(untilMs);
    if (atMs === undefined || atMs > untilMs || (first && first.atMs <= atMs)) continue;
    first = { kind: "source", atMs, source };
  }
  for (const entry of waiting.pending) {
    if (entry.atMs > untilMs || (first && isBefore(first, entry))) continue;
    first = { kind: "task", atMs: entry.atMs, entry };
  }
  return first;
}

/** At the same time, scheduled entries come before sources, in scheduling order. */
function isBefore(first: Due, entry: Entry): boolean {
  if (first.atMs !== entry.atMs) return first.atMs < entry.atMs;
  return first.kind === "task" && first.entry.order < entry.order;
}
