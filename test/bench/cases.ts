/** What a case takes: a webhook, or an event of the queue. */
export type Dialect = "platform" | "queue" | "queue-reply";

export interface BenchCase {
  readonly name: string;
  readonly label: string;
  /** Relative to the project. */
  readonly source: string;
  readonly dialect: Dialect;
  /** Bundled as deployed, with the project's own esbuild plugins; the others get esbuild's settings only. */
  readonly isOurs?: true;
}

/** The cases in the table's order. Every receiver checks the sender, fetches the secret, and enqueues. */
export const benchCases: readonly BenchCase[] = [
  {
    name: "empty",
    label: "empty handler",
    source: "test/bench/cases/empty.ts",
    dialect: "platform",
  },
  {
    name: "bare",
    label: "bare minimum (parse, digest, signed call)",
    source: "test/bench/cases/bare-minimum.ts",
    dialect: "platform",
  },
  {
    name: "receiver",
    label: "this receiver",
    source: "functions/webhook.ts",
    dialect: "platform",
    isOurs: true,
  },
  {
    name: "obvious",
    label: "obvious build: zod, 2 SDK clients, Powertools",
    source: "test/bench/cases/obvious.ts",
    dialect: "platform",
  },
  {
    name: "consumer",
    label: "this consumer",
    source: "functions/process-events.ts",
    dialect: "queue",
    isOurs: true,
  },
  {
    name: "careless-consumer",
    label: "careless consumer: same libraries",
    source: "test/bench/cases/careless-consumer.ts",
    dialect: "queue",
  },
  {
    name: "consumer-reply",
    label: "this consumer, answering",
    source: "functions/process-events.ts",
    dialect: "queue-reply",
    isOurs: true,
  },
  {
    name: "careless-consumer-reply",
    label: "careless consumer, answering",
    source: "test/bench/cases/careless-consumer.ts",
    dialect: "queue-reply",
  },
];
