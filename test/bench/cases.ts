/** The event that a case gets: a webhook, or a queued message that no trigger or one trigger answers. */
export type EventKind = "webhook" | "queued" | "queued-answered";

export interface BenchCase {
  readonly name: string;
  /** Relative to the project. */
  readonly source: string;
  readonly event: EventKind;
  /** Bundled as deployed, with the project's own esbuild plugins; the others get esbuild's settings only. */
  readonly isOurs?: true;
}

/** What is measured. `bare` is the least that queues a webhook, `careless` the usual libraries. */
export const benchCases: readonly BenchCase[] = [
  { name: "empty", source: "test/bench/cases/empty.ts", event: "webhook" },
  { name: "bare", source: "test/bench/cases/bare-minimum.ts", event: "webhook" },
  { name: "receiver", source: "functions/webhook.ts", event: "webhook", isOurs: true },
  { name: "consumer", source: "functions/process-events.ts", event: "queued", isOurs: true },
  { name: "careless", source: "test/bench/cases/careless-consumer.ts", event: "queued" },
  { name: "consumer-reply", source: "functions/process-events.ts", event: "queued-answered", isOurs: true },
  { name: "careless-reply", source: "test/bench/cases/careless-consumer.ts", event: "queued-answered" },
];
