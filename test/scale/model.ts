import { between, createRandom } from "../../local/testing/world/random.ts";
import { percentile } from "../chaos/world/judge.ts";
import { createAgenda } from "./agenda.ts";
import type { CountedCalls } from "./count-calls.ts";
import type { Load, Outcome } from "./load.ts";
import { createModelConsumer } from "./model-consumer.ts";
import { createModelLanes, type Webhook } from "./model-lanes.ts";
import type { Account } from "./model-world.ts";
import { type QuotaName, quotas } from "./quotas.ts";
import { createTokenBucket } from "./token-bucket.ts";

/** When a quota was run into for the first time, in seconds, and how often. */
export interface Hits {
  readonly firstSecond: number;
  readonly count: number;
}

/** What the model says of a load, beyond what the harness can say. */
export interface ModelOutcome extends Outcome {
  /** Which quotas were run into, the first one first, and how often. */
  readonly hits: ReadonlyMap<QuotaName, Hits>;
  /** Deliveries that the platform had to try again. */
  readonly retried: number;
  /** Webhooks that the platform gave up after its third try. */
  readonly refused: number;
  readonly backlogPeak: number;
  /** Seconds from the load's end to the last reply. */
  readonly drainedSeconds: number;
  readonly counted: CountedCalls;
}

/** The platform tries again after 10 s and 30 s, and then never (docs/internals/platform/webhooks.md#retries). */
const retriesMs = [10_000, 30_000] as const;
/** How long after the load's end replies are waited for. */
const horizonMs = 6 * 3_600_000;
/** A conversation with so many messages waiting is one that comes faster than it can be handled in order. */
const longLane = 100;
/** As counted by count-calls.ts; the model writes no log. */
const logBytesPerEvent = 430;

/**
 * Runs a load through a model of the whole system, service by service: who may call, how many at once, how often, and how
 * long it takes. Parking, tickets and breakers work as lib/queue/lanes and lib/effects/health do; nothing dies and nothing is lost on the way.
 */
export function modelLoad(load: Load): ModelOutcome {
  const random = createRandom(load.seed);
  const agenda = createAgenda();
  const hits = new Map<QuotaName, Hits>();
  const hit = (name: QuotaName) => {
    const { firstSecond, count } = hits.get(name) ?? { firstSecond: agenda.now() / 1_000, count: 0 };
    hits.set(name, { firstSecond, count: count + 1 });
  };
  const rate = createTokenBucket(10 * load.accountConcurrency);
  const account: Account = {
    running: 0,
    refusal: () => {
      if (account.running >= load.accountConcurrency) return "account's concurrency";
      return rate.take(agenda.now()) ? undefined : "Lambda's request rate";
    },
  };
  const lanes = createModelLanes(load.conversations, load.apps);
  const consumer = createModelConsumer({ load, agenda, random, lanes, account, hit });

  const http = createTokenBucket(quotas["HTTP API"].value);
  const scaling = createTokenBucket(quotas["Lambda's scaling"].value, 1_000);
  let [busy, warm, retried, refused] = [0, 0, 0, 0];

  /** Gives the quota that keeps the receiver from taking a delivery now. */
  const refusal = (): QuotaName | undefined => {
    const nowMs = agenda.now();
    if (!http.take(nowMs)) return "HTTP API";
    if (busy >= warm && !scaling.take(nowMs)) return "Lambda's scaling";
    return account.refusal();
  };
  const deliver = (webhook: Webhook, tries: number): void => {
    const refusedBy = refusal();
    if (refusedBy !== undefined) {
      hit(refusedBy);
      const retryMs = retriesMs[tries];
      if (retryMs === undefined) refused += 1;
      else {
        retried += 1;
        agenda.in(retryMs, () => deliver(webhook, tries + 1));
      }
      return;
    }
    const isCold = busy >= warm;
    busy += 1;
    account.running += 1;
    if (isCold) warm += 1;
    agenda.in((isCold ? between(random, 150, 400) : 0) + between(random, 2, 8), () => {
      busy -= 1;
      account.running -= 1;
      const { ofLane, inAll } = lanes.add(webhook);
      if (ofLane >= longLane) hit("one lane's order");
      if (inAll > quotas["queue's look-through"].value) hit("queue's look-through");
      consumer.look();
    });
  };

  const webhooks = Math.round(load.webhooksPerSecond * load.seconds);
  const come = (number: number): void => {
    const atMs = ((number + random()) / load.webhooksPerSecond) * 1_000;
    agenda.in(atMs - agenda.now(), () => {
      const lane = Math.floor(random() * load.conversations);
      deliver({ atMs: agenda.now(), lane, isAnswered: random() < load.answered }, 0);
      if (number + 1 < webhooks) come(number + 1);
    });
  };
  come(0);
  agenda.run(load.seconds * 1_000 + horizonMs);

  const { latenciesMs, lastReplyMs, batches, workedMs, counts } = consumer;
  const sorted = latenciesMs.toSorted((one, other) => one - other);
  const per = (value: number) => value / webhooks;
  const counted: CountedCalls = {
    batch: webhooks / batches(),
    receiverCalls: 1,
    consumerCalls: per(batches()),
    consumerSeconds: per(workedMs()) / 1_000,
    queueRequests: 1 + per(2 * batches() + counts.queueRequests),
    tableWrites: per(counts.tableWrites),
    healthReads: per(counts.healthReads),
    laneReads: per(counts.laneReads),
    otherReads: per(counts.otherReads),
    eventsPut: 0,
    logLines: 1,
    logBytes: logBytesPerEvent,
    metricLines: 0,
  };
  return {
    webhooks,
    replies: consumer.replies(),
    p50Ms: percentile(sorted, 0.5),
    p99Ms: percentile(sorted, 0.99),
    batch: counted.batch,
    consumerSeconds: counted.consumerSeconds,
    hits,
    retried,
    refused,
    backlogPeak: lanes.peak(),
    drainedSeconds: Math.max(0, lastReplyMs() / 1_000 - load.seconds),
    counted,
  };
}
