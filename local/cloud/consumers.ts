import type { CloudOptions } from "./cloud-options.ts";
import type { CloudReport } from "./cloud-report.ts";
import { type EventSource, startEventSource } from "./event-source.ts";
import { invokeFunction } from "./invoke.ts";
import type { LambdaService } from "./lambda/lambda-service.ts";
import { accountConcurrency } from "./local-aws.ts";
import { QueueFeed } from "./queue-feed.ts";
import type { SqsEndpoint } from "./sqs-endpoint.ts";

export type Consumers = ReturnType<typeof startConsumers>;

export interface ConsumerOptions extends Pick<CloudOptions, "concurrency" | "retryImmediately" | "onEvent"> {
  /** The function has a single process. */
  readonly isSingle: (functionKey: string) => boolean;
  readonly now: () => number;
  /** The next batch is handed out twice. */
  readonly doubles: () => boolean;
}

export function startConsumers(
  { region, mappings }: CloudReport,
  { sqs, lambda }: { sqs: SqsEndpoint; lambda: LambdaService },
  options: ConsumerOptions,
) {
  const { concurrency = 2, isSingle, retryImmediately = false } = options;
  const { onEvent = () => {}, doubles, now } = options;
  const startAll = () =>
    mappings.map((mapping) =>
      startEventSource({
        ...mapping,
        feed: new QueueFeed(sqs, mapping.queueName, now),
        region,
        // A batch that waits for a process until its messages are visible again would look like one whose
        // process died.
        concurrency: isSingle(mapping.functionKey)
          ? 1
          : Math.min(mapping.maximumConcurrency ?? concurrency, accountConcurrency),
        retryImmediately,
        invoke: (payload) => invokeFunction(lambda, mapping.functionKey, payload),
        onBatch: onEvent,
        doubles,
      }),
    );
  let sources: EventSource[] = startAll();
  return {
    areBusy: () => sources.some((source) => source.isBusy()),
    get arePaused() {
      return sources.length === 0;
    },
    async pause() {
      await Promise.all(sources.map((source) => source.stop()));
      sources = [];
    },
    resume() {
      if (sources.length === 0) sources = startAll();
    },
  };
}
