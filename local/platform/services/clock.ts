/** The platform's time. */
export type Clock = {
  /** Milliseconds since 1970. */
  now(): number;
  /** Runs the task immediately if the time has passed. */
  schedule(atMs: number, task: () => void | Promise<void>): Timer;
};

export type Timer = { cancel(): void };

export type VirtualClock = Clock & {
  /** Finishes each due task before the next starts. */
  advance(ms: number): Promise<void>;
  pendingTasks(): number;
  /** Names work that must finish before time moves. */
  joinBeforeAdvance(settle: () => Promise<void>): void;
};

/** Pending timers do not keep the process alive. */
export function createRealClock(): Clock {
  return {
    now: () => Date.now(),
    schedule(atMs, task) {
      const handle = setTimeout(() => void task(), Math.max(0, atMs - Date.now()));
      handle.unref();
      return { cancel: () => clearTimeout(handle) };
    },
  };
}

/** Creates a clock. Default start: 2026-01-01T00:00:00Z. */
export function createVirtualClock(startMs: number = Date.UTC(2026, 0, 1)): VirtualClock {
  let nowMs = startMs;
  const pending = new Set<PendingTask>();
  const joined: (() => Promise<void>)[] = [];

  async function settleAll() {
    for (const settle of joined) {
      await settle();
    }
  }

  return {
    now: () => nowMs,
    schedule(atMs, task) {
      const entry = { atMs, task };
      pending.add(entry);
      return { cancel: () => void pending.delete(entry) };
    },
    pendingTasks: () => pending.size,
    joinBeforeAdvance(settle) {
      joined.push(settle);
    },
    async advance(ms) {
      const targetMs = nowMs + ms;
      await settleAll();
      for (let due = firstDue(pending, targetMs); due !== undefined; due = firstDue(pending, targetMs)) {
        pending.delete(due);
        nowMs = Math.max(nowMs, due.atMs);
        await due.task();
        await settleAll();
      }
      nowMs = targetMs;
    },
  };
}

export function isVirtualClock(clock: Clock): clock is VirtualClock {
  return "advance" in clock && "joinBeforeAdvance" in clock;
}

export function skewClock(clock: Clock, skewMs: () => number): Clock {
  return {
    now: () => clock.now() + skewMs(),
    schedule: (atMs, task) => clock.schedule(atMs - skewMs(), task),
  };
}

export function forgettingClock(clock: Clock, era: () => number): Clock {
  return {
    now: () => clock.now(),
    schedule(atMs, task) {
      const scheduledIn = era();
      return clock.schedule(atMs, () => (scheduledIn === era() ? task() : undefined));
    },
  };
}

type PendingTask = { atMs: number; task: () => void | Promise<void> };

function firstDue(pending: Set<PendingTask>, targetMs: number) {
  let first: PendingTask | undefined;
  for (const task of pending) {
    if (task.atMs <= targetMs && (first === undefined || task.atMs < first.atMs)) first = task;
  }
  return first;
}
