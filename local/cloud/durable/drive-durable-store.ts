import type { DurableStore } from "./durable-store.ts";

export interface SchedulingClock {
  /** Milliseconds since 1970. */
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
    // Not within the call that made it due.
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

/** In case a clock without callbacks was moved. */
const lookMs = 200;

/** Its timers do not keep the process alive. */
export function watchClock(now: () => number): SchedulingClock {
  return {
    now,
    schedule(atMs, task) {
      let timer: NodeJS.Timeout;
      const wait = () => {
        timer = setTimeout(look, Math.max(0, Math.min(atMs - now(), lookMs))).unref();
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
