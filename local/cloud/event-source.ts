import timers from "node:timers/promises";
import type { SQSRecord } from "aws-lambda";
import { AwsError } from "./aws-error.ts";
import type { EventSourceMapping } from "./cloud-report.ts";
import type { Invocation } from "./invoke.ts";
import { poll } from "./queue/poll.ts";
import type { Queue } from "./queue/queue.ts";
import type { ReceivedMessage } from "./queue/queue-message.ts";
import type { SqsEndpoint } from "./sqs-endpoint.ts";
import { failedMessageIds, toSqsRecord } from "./sqs-event.ts";

export interface EventSourceOptions
  extends Pick<
    EventSourceMapping,
    "batchSize" | "functionKey" | "queueArn" | "queueName" | "reportsItemFailures"
  > {
  readonly sqs: Pick<SqsEndpoint, "isReachable" | "service">;
  readonly now: () => number;
  readonly region: string;
  readonly concurrency: number;
  invoke(event: { Records: SQSRecord[] }): Promise<Invocation>;
  onBatch(batch: BatchEvent): void;
  /** Whether to call the function twice. */
  doubles?(): boolean;
}

export interface BatchEvent {
  type: "batch";
  functionKey: string;
  records: SQSRecord[];
  failures: string[];
  requestId?: string | undefined;
  error?: string | undefined;
  durationMs: number;
}

export type EventSource = ReturnType<typeof startEventSource>;

const pollMs = 200;
const unreachablePauseMs = 100;
/** Larger ones need a batching window, which has no effect locally. */
const maxBatch = 10;

/**
 * Emulates an event source mapping: failed messages stay until their visibility timeout.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-errorhandling.html
 */
export function startEventSource(options: EventSourceOptions) {
  const stopping = new AbortController();
  const { signal } = stopping;
  let running = 0;
  const work = async () => {
    while (!signal.aborted) {
      const messages = await receive(options, signal).catch(() => undefined);
      if (messages === undefined) {
        await timers.setTimeout(unreachablePauseMs, undefined, { signal }).catch(() => {});
      } else if (messages.length > 0) {
        running += 1;
        await handle(options, messages).finally(() => (running -= 1));
      }
    }
  };
  const workers = Array.from({ length: options.concurrency }, work);
  return {
    isBusy: () => running > 0,
    async stop() {
      stopping.abort();
      await Promise.all(workers);
    },
  };
}

function queueOf({ sqs, queueName }: EventSourceOptions): Queue {
  if (!sqs.isReachable) throw new Error(`The queue ${queueName} is unreachable.`);
  return sqs.service.get(queueName).queue;
}

async function receive(options: EventSourceOptions, signal: AbortSignal): Promise<ReceivedMessage[]> {
  const attempt = () => {
    const messages = queueOf(options).receive({ max: Math.min(options.batchSize, maxBatch) });
    return messages.length > 0 ? messages : undefined;
  };
  const { now } = options;
  return (await poll(queueOf(options), attempt, { waitMs: pollMs, signal, now })) ?? [];
}

async function handle(options: EventSourceOptions, messages: ReceivedMessage[]) {
  const records = messages.map((message) => toSqsRecord(message, options));
  const { functionKey } = options;
  let startedAt = performance.now();
  const report = (outcome: Awaited<ReturnType<typeof callFunction>>) => {
    const durationMs = performance.now() - startedAt;
    options.onBatch({ type: "batch", functionKey, records, ...outcome, durationMs });
    startedAt = performance.now();
  };
  // As if the first answer had been lost.
  if (options.doubles?.() === true) report(await callFunction(options, records));
  const outcome = await callFunction(options, records);
  try {
    const queue = queueOf(options);
    for (const { messageId, receiptHandle } of records)
      if (!outcome.failures.includes(messageId)) deleteIfOurs(queue, receiptHandle);
  } catch (error) {
    outcome.error ??= `The queue did not take the outcome: ${error}`;
  }
  report(outcome);
}

/** Deletes a message unless another receiver has it. */
function deleteIfOurs(queue: Queue, receiptHandle: string) {
  try {
    queue.delete(receiptHandle);
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
  }
}

async function callFunction(
  options: EventSourceOptions,
  records: SQSRecord[],
): Promise<Pick<BatchEvent, "failures" | "error" | "requestId">> {
  const ids = records.map(({ messageId }) => messageId);
  try {
    const { payload, functionError, requestId } = await options.invoke({ Records: records });
    const invocation = requestId === undefined ? {} : { requestId };
    if (functionError !== undefined) {
      return { ...invocation, failures: ids, error: `${functionError}: ${JSON.stringify(payload)}` };
    }
    return { ...invocation, failures: options.reportsItemFailures ? failedMessageIds(payload, ids) : [] };
  } catch (error) {
    return { failures: ids, error: String(error) };
  }
}
