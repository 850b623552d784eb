import type { CloudOptions } from "./cloud-options.ts";
import type { CloudReport } from "./cloud-report.ts";
import type { CloudServices } from "./cloud-services.ts";
import { type EventSource, startEventSource } from "./event-source.ts";
import { invokeFunction } from "./invoke.ts";
import type { LambdaService } from "./lambda/lambda-service.ts";
import { accountConcurrency } from "./local-aws.ts";
import type { MappingState, Mappings } from "./mappings.ts";

export type Consumers = ReturnType<typeof startConsumers>;

interface ConsumedCloud {
  readonly services: Pick<CloudServices, "sqs" | "clock" | "faults">;
  readonly report: Pick<CloudReport, "region">;
  readonly mappings: Mappings;
  readonly lambda: LambdaService;
  readonly inspectors: ReadonlyMap<string, unknown>;
}

export function startConsumers(
  { services: { sqs, clock, faults }, report: { region }, mappings, lambda, inspectors }: ConsumedCloud,
  { concurrency = 2, onEvent = () => {} }: Pick<CloudOptions, "concurrency" | "onEvent">,
) {
  const start = (mapping: MappingState) =>
    startEventSource({
      ...mapping,
      sqs,
      region,
      now: clock.now,
      doubles: faults.doubles,
      // A wait at a breakpoint would look like a crash.
      concurrency: inspectors.has(mapping.functionKey)
        ? 1
        : Math.min(mapping.maximumConcurrency ?? concurrency, accountConcurrency),
      invoke: (payload) => invokeFunction(lambda, mapping.functionKey, payload),
      onBatch: onEvent,
    });
  const sources = new Map<string, EventSource>();
  let arePaused = false;
  const startOne = (mapping: MappingState) => {
    if (mapping.isEnabled) sources.set(mapping.uuid, start(mapping));
  };
  mappings.onChange((mapping) => {
    void sources.get(mapping.uuid)?.stop();
    sources.delete(mapping.uuid);
    if (!arePaused) startOne(mapping);
  });
  for (const mapping of mappings.all) startOne(mapping);
  return {
    areBusy: () => [...sources.values()].some((source) => source.isBusy()),
    takesFrom: (name: string) =>
      mappings.all.some(({ queueName, uuid }) => queueName === name && sources.has(uuid)),
    async pause() {
      arePaused = true;
      await Promise.all([...sources.values()].map((source) => source.stop()));
      sources.clear();
    },
    resume() {
      if (arePaused) for (const mapping of mappings.all) startOne(mapping);
      arePaused = false;
    },
  };
}
