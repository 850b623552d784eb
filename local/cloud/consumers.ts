import { SQSClient } from "@aws-sdk/client-sqs";
import type { CloudReport } from "./cloud-report.ts";
import { type BatchEvent, type EventSource, startEventSource } from "./event-source.ts";
import { invokeFunction } from "./invoke.ts";
import { localCredentials } from "./local-aws.ts";

export interface Consumers {
  areBusy(): boolean;
  /** Stops feeding; resolves when running polls and batches are done. */
  pause(): Promise<void>;
  resume(): void;
  /** Stops feeding and waits for running batches only. */
  close(): Promise<void>;
}

/** Starts every event source mapping of the service: from its queue to its function. */
export function startConsumers(
  { report, lambdaUrl }: { report: CloudReport; lambdaUrl: string },
  endpoints: { sqs: string },
  options: { concurrency?: number; retryImmediately?: boolean; onEvent?: (event: BatchEvent) => void },
): Consumers {
  const { region, functionNames, mappings } = report;
  const { concurrency = 2, retryImmediately = false, onEvent = () => {} } = options;
  const client = new SQSClient({
    endpoint: endpoints.sqs,
    region,
    credentials: localCredentials,
    maxAttempts: 1,
  });
  const startAll = () =>
    mappings.map((mapping) =>
      startEventSource({
        ...mapping,
        client,
        region,
        concurrency: mapping.maximumConcurrency ?? concurrency,
        retryImmediately,
        invoke: (payload) =>
          invokeFunction({ lambdaUrl, functionName: functionNames[mapping.functionKey] ?? "", payload }),
        onBatch: onEvent,
      }),
    );
  let sources: EventSource[] = startAll();
  return {
    areBusy: () => sources.some((source) => source.isBusy()),
    async pause() {
      await Promise.all(sources.map((source) => source.stop()));
      sources = [];
    },
    resume() {
      if (sources.length === 0) sources = startAll();
    },
    async close() {
      await Promise.all(sources.map((source) => source.stop({ abort: true })));
      client.destroy();
    },
  };
}
