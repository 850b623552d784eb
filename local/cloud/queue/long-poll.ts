import * as z from "zod/mini";
import type { Queue } from "./queue.ts";
import type { QueueService } from "./queue-service.ts";

/** Receives messages, waiting for the first one as long as the request says. `signal` ends the wait with nothing. */
export type LongPoll = (input: unknown, signal: AbortSignal) => Promise<object>;

/**
 * Makes ReceiveMessage wait: for a message that is sent, one whose time comes, or the end of its `WaitTimeSeconds`
 * (the queue's own when absent).
 */
export function createLongPoll(service: QueueService, now: () => number): LongPoll {
  return async (input, signal) => {
    const named = service.get(waitSchema.parse(input).QueueUrl);
    const { WaitTimeSeconds = Number(named.attributes.ReceiveMessageWaitTimeSeconds) } =
      waitSchema.parse(input);
    const giveUpAtMs = performance.now() + WaitTimeSeconds * 1000;
    for (;;) {
      if (signal.aborted) return {};
      const answer = service.call("ReceiveMessage", input);
      const leftMs = giveUpAtMs - performance.now();
      if ("Messages" in answer || leftMs <= 0) return answer;
      await waitForChange(named.queue, now, leftMs, signal);
    }
  };
}

const waitSchema = z.object({ QueueUrl: z.string(), WaitTimeSeconds: z.optional(z.number()) });

/** Resolves when a message may have become visible, at the latest after `atMostMs`, or when the signal says so. */
export function waitForChange(
  queue: Queue,
  now: () => number,
  atMostMs: number,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve) => {
    const untilDueMs = (queue.nextChangeAtMs() ?? Number.POSITIVE_INFINITY) - now();
    const done = () => {
      clearTimeout(timer);
      stopListening();
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, Math.max(1, Math.min(atMostMs, untilDueMs)));
    const stopListening = queue.onChange(done);
    signal.addEventListener("abort", done);
  });
}
