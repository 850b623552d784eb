import { waitForChange } from "./queue/long-poll.ts";
import { QueueError } from "./queue/queue-error.ts";
import type { ReceivedMessage } from "./queue/queue-message.ts";
import type { SqsEndpoint } from "./sqs-endpoint.ts";

/** What an event source needs of its queue. Everything throws while the queue is unreachable. */
export interface QueueFeed {
  /** Waits up to `waitMs` for messages and hands out what there is. */
  receive(options: { max: number; waitMs: number; signal: AbortSignal }): Promise<ReceivedMessage[]>;
  /** Deletes messages; one whose time was over is left to whoever gets it next. */
  delete(receiptHandles: readonly string[]): void;
  /** Hands messages out again at once, backwards, so that each returns to the front of its lane. */
  release(receiptHandles: readonly string[]): void;
}

/** Makes the feed of a queue, within this process and subject to the endpoint's being reachable. */
export function createQueueFeed(sqs: SqsEndpoint, queueName: string, now: () => number): QueueFeed {
  const reach = () => {
    if (!sqs.isReachable) throw new Error(`The queue ${queueName} is unreachable.`);
    return sqs.service.get(queueName).queue;
  };
  const each = (receiptHandles: readonly string[], act: (receiptHandle: string) => void) => {
    reach();
    for (const receiptHandle of receiptHandles) {
      try {
        act(receiptHandle);
      } catch (error) {
        if (!(error instanceof QueueError)) throw error;
      }
    }
  };
  return {
    async receive({ max, waitMs, signal }) {
      const giveUpAtMs = performance.now() + waitMs;
      for (;;) {
        const queue = reach();
        if (signal.aborted) return [];
        const messages = queue.receive({ max });
        const leftMs = giveUpAtMs - performance.now();
        if (messages.length > 0 || leftMs <= 0) return messages;
        await waitForChange(queue, now, leftMs, signal);
      }
    },
    delete: (receiptHandles) => each(receiptHandles, (handle) => reach().delete(handle)),
    release: (receiptHandles) =>
      each(receiptHandles.toReversed(), (handle) => reach().changeVisibility(handle, 0)),
  };
}
