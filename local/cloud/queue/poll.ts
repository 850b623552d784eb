import type { Queue } from "./queue.ts";

export interface PollOptions {
  readonly now: () => number;
  readonly waitMs: number;
  readonly signal: AbortSignal;
}

/** Tries for up to `waitMs`, now and whenever a message may have become visible. */
export async function poll<Answer>(
  queue: Queue,
  attempt: () => Answer | undefined,
  { now, waitMs, signal }: PollOptions,
): Promise<Answer | undefined> {
  const giveUpAtMs = performance.now() + waitMs;
  for (;;) {
    if (signal.aborted) return undefined;
    const answer = attempt();
    const leftMs = giveUpAtMs - performance.now();
    if (answer !== undefined || leftMs <= 0) return answer;
    await waitForChange(queue, Math.min(leftMs, (queue.nextChangeAtMs() ?? Infinity) - now()), signal);
  }
}

function waitForChange(queue: Queue, atMostMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      stopListening();
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, Math.max(1, atMostMs));
    const stopListening = queue.onChange(done);
    signal.addEventListener("abort", done);
  });
}
