import { once } from "node:events";
import timers from "node:timers";
import { createBus } from "../../cloud/bus.ts";
import type { FunctionClock } from "../../cloud/lambda/runtime-api.ts";
import type { Timer, VirtualClock } from "../../platform/services/clock.ts";

export type ClockSetting = FunctionClock;

/** Work that becomes due without the clock's schedule, such as a delayed message. */
export interface TimeSource {
  /** @returns undefined if nothing waits; may be later if work before `untilMs` may be skipped */
  nextAtMs(untilMs: number): number | undefined;
  /** Absent if the source runs due work itself. */
  runDue?(): Promise<void>;
}

export interface Moved {
  readonly nowMs: number;
  /** False if it took too long: time stopped at `nowMs`. */
  readonly isDone: boolean;
  readonly steps: number;
  readonly leftMs: number;
}

interface Entry {
  readonly atMs: number;
  readonly order: number;
  readonly task: () => void | Promise<void>;
  handle?: NodeJS.Timeout | undefined;
}

/** @see https://nodejs.org/api/timers.html#settimeoutcallback-delay-args */
const longestTimerMs = 2 ** 31 - 1;
const defaultLimitMs = 60_000;
const defaultSettleMs = 30_000;

interface Limits {
  readonly forMs: number;
  readonly settleForMs: number;
  readonly signal: AbortSignal;
}

/** Clock that can be moved forward, frozen and released. Its timers do not keep the process alive. */
export class StackClock implements VirtualClock {
  readonly #machineNow: () => number;
  #offsetMs: number;
  #frozenAtMs: number | undefined;
  #nextOrder = 0;
  #running: Promise<unknown> = Promise.resolve();
  #isMoving = false;
  #staysFrozen = false;
  #isClosed = false;
  readonly #pending = new Set<Entry>();
  readonly #sources = new Set<TimeSource>();
  readonly #joined: ((signal: AbortSignal) => Promise<void>)[] = [];
  #replacing = new AbortController();
  readonly #changes = createBus();
  readonly onChange = this.#changes.subscribe;

  constructor(initial: ClockSetting = { offsetMs: 0 }, machineNow: () => number = Date.now) {
    this.#offsetMs = initial.offsetMs;
    this.#frozenAtMs = initial.frozenAtMs;
    this.#machineNow = machineNow;
  }

  readonly now = (): number => this.#frozenAtMs ?? this.#machineNow() + this.#offsetMs;

  schedule(atMs: number, task: () => void | Promise<void>): Timer {
    const entry: Entry = { atMs, order: this.#nextOrder++, task };
    this.#pending.add(entry);
    this.#arm(entry);
    return {
      cancel: () => {
        clearTimeout(entry.handle);
        this.#pending.delete(entry);
      },
    };
  }

  pendingTasks(): number {
    return this.#pending.size;
  }

  joinBeforeAdvance(settle: (signal: AbortSignal) => Promise<void>): void {
    this.#joined.push(settle);
  }

  async advance(ms: number): Promise<void> {
    await this.moveTo(() => this.now() + ms);
  }

  get setting(): ClockSetting {
    const frozenAtMs = this.#frozenAtMs;
    return { offsetMs: this.#offsetMs, ...(frozenAtMs !== undefined && { frozenAtMs }) };
  }

  /** Setting that remains if a move stops here. */
  get lastingSetting(): ClockSetting {
    const runsOn = this.#isMoving && !this.#staysFrozen;
    return runsOn ? { offsetMs: this.now() - this.#machineNow() } : this.setting;
  }

  get isMoving(): boolean {
    return this.#isMoving;
  }

  /**
   * Moves the clock forward. Due work happens at its time, each with all its consequences before the next.
   * Moves run one after the other.
   * @param at a time, or a function called once no other move runs
   * @param limits.forMs real time after which no further step starts, counted once earlier work has ended.
   * Default 60,000
   * @param limits.settleForMs real time for each step. Default 30,000
   * @param limits.signal ends it early
   */
  moveTo(
    at: number | (() => number),
    {
      forMs = defaultLimitMs,
      settleForMs = defaultSettleMs,
      signal = this.#replacing.signal,
    }: Partial<Limits> = {},
  ): Promise<Moved> {
    const limits = { forMs, settleForMs, signal: AbortSignal.any([this.#replacing.signal, signal]) };
    return this.alone(() => this.#move(typeof at === "number" ? at : at(), limits));
  }

  /** Ends all moves early, then runs `work` alone. */
  readonly replace = <T>(work: () => Promise<T>): Promise<T> => {
    this.#replacing.abort();
    this.#replacing = new AbortController();
    return this.alone(work);
  };

  readonly alone = <T>(work: () => Promise<T>): Promise<T> => {
    const done = this.#running.then(work);
    this.#running = done.catch(() => {});
    return done;
  };

  nextAtMs(): number | undefined {
    return this.#firstDue(Number.POSITIVE_INFINITY)?.atMs;
  }

  freeze(): void {
    this.#staysFrozen = true;
    if (this.#frozenAtMs === undefined) this.set({ offsetMs: this.#offsetMs, frozenAtMs: this.now() });
  }

  unfreeze(): void {
    this.#staysFrozen = false;
    if (this.#frozenAtMs === undefined || this.#isMoving) return;
    this.set({ offsetMs: this.#frozenAtMs - this.#machineNow() });
  }

  /** Sets any time, also back, without triggering due work. */
  set({ offsetMs, frozenAtMs }: ClockSetting): void {
    this.#offsetMs = offsetMs;
    this.#frozenAtMs = frozenAtMs;
    for (const entry of this.#pending) this.#arm(entry);
    this.#changes.publish();
  }

  addSource(source: TimeSource): () => void {
    this.#sources.add(source);
    return () => void this.#sources.delete(source);
  }

  close(): void {
    this.#isClosed = true;
    for (const { handle } of this.#pending) clearTimeout(handle);
  }

  #arm(entry: Entry) {
    clearTimeout(entry.handle);
    const leftMs = Math.max(0, entry.atMs - this.now());
    const isStopped = this.#frozenAtMs !== undefined || this.#isClosed;
    // On a frozen clock, due work still happens.
    if (isStopped && (this.#isClosed || this.#isMoving || leftMs > 0)) return;
    entry.handle = setTimeout(() => this.#fire(entry), Math.min(leftMs, longestTimerMs)).unref();
  }

  #fire(entry: Entry) {
    if (this.#isMoving || !this.#pending.has(entry)) return;
    if (entry.atMs > this.now()) {
      this.#arm(entry);
      return;
    }
    this.#pending.delete(entry);
    void entry.task();
  }

  async #settleAll({ settleForMs, signal }: Limits, begin?: () => Promise<void>): Promise<boolean> {
    const limit = new AbortController();
    const over = AbortSignal.any([signal, limit.signal]);
    const timer = timers.setTimeout(() => limit.abort(), settleForMs).unref();
    const settle = async () => {
      await begin?.();
      for (const one of this.#joined) if (!over.aborted) await one(over);
      return !over.aborted;
    };
    try {
      return await Promise.race([settle(), once(over, "abort").then(() => false)]);
    } finally {
      timers.clearTimeout(timer);
    }
  }

  #stepTo(atMs: number) {
    this.#frozenAtMs = Math.max(this.now(), atMs);
    this.#changes.publish();
  }

  async #move(targetMs: number, limits: Limits): Promise<Moved> {
    // Before time stops: a function that runs now is not ahead of it.
    let isDone = await this.#settleAll(limits);
    let nowMs = this.now();
    let steps = 0;
    if (!isDone) return { nowMs, isDone, steps, leftMs: Math.max(0, targetMs - nowMs) };
    this.#staysFrozen = this.#frozenAtMs !== undefined;
    this.#isMoving = true;
    this.#stepTo(nowMs);
    try {
      isDone = await this.#settleAll(limits);
      const endsAt = performance.now() + limits.forMs;
      // A source that stays due would stop time forever.
      const stuck = new Set<TimeSource>();
      for (let due = this.#firstDue(targetMs); isDone && due; due = this.#firstDue(targetMs, stuck)) {
        isDone = performance.now() < endsAt;
        if (!isDone) break;
        steps += 1;
        if (due.atMs > this.now()) stuck.clear();
        this.#stepTo(due.atMs);
        const current = due;
        isDone = await this.#settleAll(limits, () => this.#runDue(current));
        if (due.kind === "source" && (due.source.nextAtMs(targetMs) ?? Infinity) <= this.now()) {
          stuck.add(due.source);
        }
      }
      if (isDone) {
        this.#stepTo(targetMs);
        await this.#settleAll(limits);
      }
    } finally {
      nowMs = this.now();
      const { lastingSetting } = this;
      this.#isMoving = false;
      this.set(lastingSetting);
    }
    return { nowMs, isDone, steps, leftMs: isDone ? 0 : Math.max(0, targetMs - nowMs) };
  }

  async #runDue(due: Due) {
    if (due.kind === "source") return await due.source.runDue?.();
    this.#pending.delete(due.entry);
    await due.entry.task();
  }

  #firstDue(untilMs: number, stuck: ReadonlySet<TimeSource> = new Set()) {
    let first: Due | undefined;
    for (const source of this.#sources) {
      if (stuck.has(source)) continue;
      const atMs = source.nextAtMs(untilMs);
      if (atMs === undefined || atMs > untilMs || (first && first.atMs <= atMs)) continue;
      first = { kind: "source", atMs, source };
    }
    for (const entry of this.#pending) {
      if (entry.atMs > untilMs || (first && isBefore(first, entry))) continue;
      first = { kind: "task", atMs: entry.atMs, entry };
    }
    return first;
  }
}

type Due =
  | { readonly kind: "task"; readonly atMs: number; readonly entry: Entry }
  | { readonly kind: "source"; readonly atMs: number; readonly source: TimeSource };

/** Orders due work: at the same time, scheduled entries come before sources, in scheduling order. */
function isBefore(first: Due, entry: Entry) {
  if (first.atMs !== entry.atMs) return first.atMs < entry.atMs;
  return first.kind === "task" && first.entry.order < entry.order;
}
