import { createHeap } from "../../local/cloud/queue/heap.ts";

/** Virtual time without promises: what is planned happens in order. */
export interface Agenda {
  now(): number;
  in(ms: number, act: () => void): void;
  /** Lets time pass until nothing is planned, or that moment has come. */
  run(untilMs: number): void;
}

export function createAgenda(): Agenda {
  let nowMs = 0;
  let count = 0;
  const plans = createHeap<{ readonly atMs: number; readonly number: number; readonly act: () => void }>(
    (one, other) => (one.atMs === other.atMs ? one.number < other.number : one.atMs < other.atMs),
  );
  return {
    now: () => nowMs,
    in: (ms, act) => {
      count += 1;
      plans.push({ atMs: nowMs + Math.max(0, ms), number: count, act });
    },
    run: (untilMs) => {
      for (let next = plans.peek(); next !== undefined && next.atMs <= untilMs; next = plans.peek()) {
        plans.pop();
        nowMs = next.atMs;
        next.act();
      }
      nowMs = Math.max(nowMs, untilMs);
    },
  };
}
