import type { Timer, VirtualClock } from "../../platform/services/clock.ts";

/** Where a world's time stands: so many milliseconds ahead of the machine's, or still. */
export interface ClockSetting {
  readonly offsetMs: number;
  /** The time at which it stands, in milliseconds since 1970; absent while it runs. */
  readonly frozenAtMs?: number | undefined;
}

/** What falls due without having been scheduled on the clock, such as a message that was put off. */
export interface TimeSource {
  /**
   * When something falls due next, in milliseconds since 1970; undefined when nothing waits. A source that need not do all
   * that falls due until `untilMs` may tell a later time.
   */
  nextAtMs(untilMs: number): number | undefined;
  /** Does what is due by now. What goes by itself once it is due needs none. */
  runDue?(): Promise<void>;
}

/** What came of moving the clock. */
export interface Moved {
  readonly nowMs: number;
  /** False when it took too long: time stands at `nowMs`, short of where it was to go. */
  readonly isDone: boolean;
  /** How many times something fell due on the way. */
  readonly steps: number;
}

/**
 * A clock that runs as the machine's, and can be put forward, frozen and let go. `advance` is `moveTo` by a span, so that
 * whoever takes a virtual clock takes this one.
 */
export interface WorldClock extends VirtualClock {
  readonly setting: ClockSetting;
  /** The setting that stays when a move that is under way gets no further. */
  readonly resting: ClockSetting;
  readonly isMoving: boolean;
  /**
   * Puts the clock forward, never back. What falls due on the way happens at its time, in order, and with all that follows
   * from it before the next. Moves go one after the other.
   * @param at milliseconds since 1970, or what tells them once no other move is under way
   * @param limits.forMs milliseconds of the machine after which no further step begins. Default 60,000
   */
  moveTo(at: number | (() => number), limits?: { readonly forMs?: number }): Promise<Moved>;
  /** Does something between moves: none runs meanwhile, and what is asked for later waits. */
  alone<T>(work: () => Promise<T>): Promise<T>;
  /** When something that waits falls due next, in milliseconds since 1970; undefined when nothing does. */
  nextAtMs(): number | undefined;
  freeze(): void;
  /** Lets a frozen clock run on from where it stands. */
  letGo(): void;
  /** Puts the clock anywhere, also back. For a world that is exchanged at the same time: nothing is made due. */
  set(setting: ClockSetting): void;
  /** Names something that falls due by itself; gives the function that takes it out. */
  addSource(source: TimeSource): () => void;
  /** Is called whenever time has jumped, stopped or gone on. */
  onChange(listener: () => void): void;
  /** Ends every timer. */
  close(): void;
}

interface Entry {
  readonly atMs: number;
  readonly order: number;
  readonly task: () => void | Promise<void>;
  handle?: NodeJS.Timeout | undefined;
}

/** Timers of Node take no longer time. @see https://nodejs.org/api/timers.html#settimeoutcallback-delay-args */
const longestTimerMs = 2 ** 31 - 1;
const defaultLimitMs = 60_000;

/** Makes a clock that stands as the setting says. Its timers do not keep the process alive. */
export function createWorldClock(
  initial: ClockSetting = { offsetMs: 0 },
  machineNow: () => number = Date.now,
): WorldClock {
  let { offsetMs, frozenAtMs } = initial;
  let nextOrder = 0;
  let running: Promise<unknown> = Promise.resolve();
  let isMoving = false;
  // Whether time stands when a move is over.
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
  // Where time stands, what is due already still happens.
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
    // While it is moved, time stands but for the steps.
    let atMs = now();
    const stepTo = (nextMs: number) => {
      atMs = Math.max(atMs, nextMs);
      frozenAtMs = atMs;
      tell();
    };
    stepTo(atMs);
    try {
      await settleAll();
      // A source that stays due after its turn would hold time up for ever.
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

/** Of one time, what was scheduled goes before what falls due by itself, in the order of its scheduling. */
function isBefore(first: Due, entry: Entry): boolean {
  if (first.atMs !== entry.atMs) return first.atMs < entry.atMs;
  return first.kind === "task" && first.entry.order < entry.order;
}
