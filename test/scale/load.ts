/** What comes, and what it runs on. */
export interface Load {
  readonly webhooksPerSecond: number;
  readonly seconds: number;
  readonly apps: number;
  /** Conversations over all apps; the webhooks are spread evenly over them by chance. */
  readonly conversations: number;
  /** Milliseconds of the platform's answer to a message that is sent. */
  readonly platformMs: number;
  /** The share of webhooks that is answered. */
  readonly answered: number;
  readonly seed: number;
  /** The settings and quotas that a scenario turns. */
  readonly accountConcurrency: number;
  readonly maximumConcurrency: number;
  readonly tableWritesPerSecond: number;
}

/** What comes in the first seconds meets cold starts, and is left out of the times. */
export const warmUpMs = 5_000;

/** A quiet app, at the quotas' defaults. */
export const usualLoad: Load = {
  webhooksPerSecond: 1,
  seconds: 60,
  apps: 1,
  conversations: 50,
  platformMs: 100,
  answered: 0.5,
  seed: 1,
  accountConcurrency: 1_000,
  maximumConcurrency: 50,
  tableWritesPerSecond: 4_000,
};

/** What became of a load. Times run from the platform's first try to deliver until the reply is stored. */
export interface Outcome {
  readonly webhooks: number;
  readonly replies: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** The average batch of the consumer. */
  readonly batch: number;
  /** Seconds that the consumer worked per webhook. */
  readonly consumerSeconds: number;
}
