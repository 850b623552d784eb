/** One of AWS's or the platform's limits, and where it is written. */
export interface Quota {
  readonly value: number;
  readonly unit: string;
  readonly source: string;
  /** What moves it. */
  readonly moves: string;
}

/** The limits that a load runs into, as they are by default in us-east-1. */
export const quotas = {
  "HTTP API": {
    value: 10_000,
    unit: "requests a second for the account and region",
    source: "https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html",
    moves: "a quota request",
  },
  "account's concurrency": {
    value: 1_000,
    unit: "executions at once, of all functions; 10 in a new account",
    source: "https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html",
    moves: "a quota request",
  },
  "Lambda's request rate": {
    value: 10_000,
    unit: "synchronous requests a second: ten times the account's concurrency",
    source: "https://docs.aws.amazon.com/lambda/latest/dg/lambda-concurrency.html",
    moves: "a quota request (it follows the concurrency)",
  },
  "Lambda's scaling": {
    value: 100,
    unit: "new environments a second per function, 1,000 at once",
    source: "https://docs.aws.amazon.com/lambda/latest/dg/scaling-behavior.html",
    moves: "provisioned concurrency",
  },
  "consumer's concurrency": {
    value: 50,
    unit: "batches at once for each queue (set for this page; 2 unless set, for new accounts; at most 1,000). A FIFO queue has at most one batch for each active group",
    source: "https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-scaling.html",
    moves: "`consumerConcurrency` in config/stages.yml",
  },
  "FIFO queue": {
    value: 70_000,
    unit: "calls a second of each kind in high-throughput mode (9,000 or fewer in many regions)",
    source: "https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-messages.html",
    moves: "another region, or several queues",
  },
  "one group of the queue": {
    value: 300,
    unit: "calls a second of each kind for one partition, so for one group",
    source:
      "https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/partitions-and-data-distribution.html",
    moves: "nothing",
  },
  "queue's look-through": {
    value: 120_000,
    unit: "messages in flight, and as many are looked through for groups that are free",
    source:
      "https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/avoid-backlog-with-the-same-message-group-id.html",
    moves: "nothing",
  },
  "table's writes": {
    value: 4_000,
    unit: "units a second of a table on demand that is new; twice the last peak after 30 minutes",
    source: "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/on-demand-capacity-mode.html",
    moves: "warm throughput",
  },
  "one app's health": {
    value: 3_000,
    unit: "read units a second of one partition, so of one item",
    source: "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/warm-throughput-scenarios.html",
    moves: "larger batches: fewer, busier consumers",
  },
  "chat platform": {
    value: 20_000,
    unit: "requests a minute per app, sends among them; 10,000 for those that create users and groups",
    source: "platform/answers-and-errors.md#rate-limits",
    moves: "your plan with the platform, or several apps",
  },
  "one lane's order": {
    value: 1,
    unit: "event at a time in one conversation",
    source: "guarantees.md#order-within-a-conversation-and-no-conversation-waits-for-another",
    moves: "nothing: it is the order that was promised",
  },
} as const satisfies Record<string, Quota>;

export type QuotaName = keyof typeof quotas;
