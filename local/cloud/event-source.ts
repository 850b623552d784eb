import timers from "node:timers/promises";
import { tooManyRequests } from "./aws-error.ts";
import type { Invocation } from "./invoke.ts";
import type { ReceivedMessage } from "./queue/queue-message.ts";
import type { QueueFeed } from "./queue-feed.ts";
import { failedMessageIds, type SqsRecord, toSqsRecord } from "./sqs-event.ts";

export interface EventSourceOptions {
  feed: QueueFeed;
  functionKey: string;
  queueArn: string;
  region: string;
  batchSize: number;
  /** `ReportBatchItemFailures`: the function's answer lists the failed messages. */
  reportsItemFailures: boolean;
  /** How many batches run at the same time. */
  concurrency: number;
  /** Failed messages become visible immediately, not after the visibility timeout. */
  retryImmediately: boolean;
  invoke(event: { Records: SqsRecord[] }): Promise<Invocation>;
  onBatch(batch: BatchEvent): void;
  /** This batch is handed out twice, as a queue may do. Default: false. */
  doubles?(): boolean;
}

export interface BatchEvent {
  type: "batch";
  functionKey: string;
  records: SqsRecord[];
  /** Their messages stay on the queue. */
  failures: string[];
  /** Undefined if no invocation got the batch. */
  requestId?: string;
  /** Why the whole batch failed. */
  error?: string;
  durationMs: number;
}

export interface EventSource {
  /** True from a batch's first message until it is settled. */
  isBusy(): boolean;
  /** Resolves when the running batches are done. */
  stop(): Promise<void>;
}

const pollMs = 200;
const unreachablePauseMs = 100;
/** A larger batch needs a batching window, which has no effect locally. */
const maxBatch = 10;

/**
 * As Lambda's event source mapping: a failed batch stays on the queue; with reported item failures only those
 * stay.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-errorhandling.html
 */
export function startEventSource(options: EventSourceOptions): EventSource {
  const stopping = new AbortController();
  let running = 0;
  const poll = async () => {
    while (!stopping.signal.aborted) {
      const max = Math.min(options.batchSize, maxBatch);
      const messages = await options.feed
        .receive({ max, waitMs: pollMs, signal: stopping.signal })
        .catch(() => undefined);
      if (messages === undefined) {
        await timers.setTimeout(unreachablePauseMs, undefined, { signal: stopping.signal }).catch(() => {});
      } else if (messages.length > 0) {
        running += 1;
        await handle(options, messages).finally(() => (running -= 1));
      }
    }
  };
  const pollers = Array.from({ length: options.concurrency }, poll);
  return {
    isBusy: () => running > 0,
    async stop() {
      stopping.abort();
      await Promise.all(pollers);
    },
  };
}

async function handle(options: EventSourceOptions, messages: ReceivedMessage[]): Promise<void> {
  const records = messages.map((message) => toSqsRecord(message, options));
  const startedAt = performance.now();
  // As if the first answer had been lost: the second one counts.
  if (options.doubles?.() === true) await callFunction(options, records);
  const outcome = await callFunction(options, records);
  const { isThrottled, ...told } = outcome;
  const failed = records.filter(({ messageId }) => outcome.failures.includes(messageId));
  const done = records.filter((record) => !failed.includes(record));
  try {
    // A throttled batch waits, as Lambda pauses before it takes more.
    settle(isThrottled ? { ...options, retryImmediately: false } : options, done, failed);
  } catch (error) {
    told.error ??= `The queue did not take the outcome: ${error}`;
  }
  options.onBatch({
    type: "batch",
    functionKey: options.functionKey,
    records,
    ...told,
    durationMs: performance.now() - startedAt,
  });
}

async function callFunction(
  options: EventSourceOptions,
  records: SqsRecord[],
): Promise<Pick<BatchEvent, "failures" | "error" | "requestId"> & { readonly isThrottled?: boolean }> {
  const ids = records.map(({ messageId }) => messageId);
  try {
    const { payload, functionError, requestId } = await options.invoke({ Records: records });
    const invocation = requestId === undefined ? {} : { requestId };
    if (functionError !== undefined) {
      return { ...invocation, failures: ids, error: `${functionError}: ${JSON.stringify(payload)}` };
    }
    return { ...invocation, failures: options.reportsItemFailures ? failedMessageIds(payload, ids) : [] };
  } catch (error) {
    return { failures: ids, error: String(error), isThrottled: error === tooManyRequests };
  }
}

function settle(
  { feed, retryImmediately }: EventSourceOptions,
  done: SqsRecord[],
  failed: SqsRecord[],
): void {
  feed.delete(done.map(({ receiptHandle }) => receiptHandle));
  // Otherwise they wait for the visibility timeout that began when they were received.
  if (retryImmediately) feed.release(failed.map(({ receiptHandle }) => receiptHandle));
}
