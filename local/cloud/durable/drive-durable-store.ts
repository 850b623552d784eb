import type { DurableStore } from "./durable-store.ts";

export interface SchedulingClock {
  now(): number;
  schedule(atMs: number, task: () => void | Promise<void>): { cancel(): void };
}

export function driveDurableStore(store: DurableStore, clock: SchedulingClock): () => void {
  let timer: { cancel(): void } | undefined;
  let plannedAtMs: number | undefined;
  let isStopped = false;
  const look = () => {
    if (isStopped) return;
    const atMs = store.nextWakeAt();
    if (atMs === plannedAtMs) return;
    timer?.cancel();
    plannedAtMs = atMs;
    if (atMs === undefined) timer = undefined;
    else if (atMs > clock.now()) timer = clock.schedule(atMs, wake);
    // Runs after the call that made it due.
    else queueMicrotask(() => void wake());
  };
  const wake = async () => {
    plannedAtMs = undefined;
    if (isStopped) return;
    const done = store.runDue();
    look();
    await done;
  };
  store.onChange(look);
  look();
  return () => {
    isStopped = true;
    timer?.cancel();
  };
}

/** Polls, because `now` may jump without a notice. */
const pollMs = 200;

/** Makes a scheduling clock of `now`. Its timers do not keep the process alive. */
export function pollingClock(now: () => number): SchedulingClock {
  return {
    now,
    schedule(atMs, task) {
      let timer: NodeJS.Timeout;
      const wait = () => {
        timer = setTimeout(look, Math.max(0, Math.min(atMs - now(), pollMs))).unref();
      };
      const look = () => {
        if (atMs <= now()) void task();
        else wait();
      };
      wait();
      return { cancel: () => clearTimeout(timer) };
    },
  };
}
