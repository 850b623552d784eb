import { between } from "../../local/testing/world/random.ts";
import { createLine } from "./line.ts";
import { warmUpMs } from "./load.ts";
import { createModelEffects } from "./model-effects.ts";
import type { ModelLane, Webhook } from "./model-lanes.ts";
import type { ModelCounts, ModelWorld } from "./model-world.ts";

export interface ModelConsumer {
  /** Something is new in the queue. */
  look(): void;
  /** Of replies to webhooks that came after the warm-up. */
  readonly latenciesMs: readonly number[];
  replies(): number;
  lastReplyMs(): number;
  batches(): number;
  workedMs(): number;
  readonly counts: Readonly<ModelCounts>;
}

/** As lib/queue/lanes/consume-batch.ts: what is done does not wait longer for the others of its batch. */
const earlyMs = 500;
/** As lib/queue/lanes/resume-lane.ts: after so long no further event of a parked lane is begun in one invocation. */
const resumptionMs = 20_000;
const eventMs = 0.3;

/** The consumer of the model: batches from the queue, and one parked lane at a time from its tickets. */
export function createModelConsumer(world: ModelWorld): ModelConsumer {
  const { load, agenda, random, lanes, account, hit } = world;
  const counts: ModelCounts = {
    queueRequests: 0,
    tableWrites: 0,
    healthReads: 0,
    laneReads: 0,
    otherReads: 0,
  };
  const effects = createModelEffects(world, counts);
  const awsMs = () => between(random, 2, 8);
  const marked = new Set<number>();
  const markOf = ({ app, number }: ModelLane) => app * 256 + ((number * 2_654_435_761) % 256);
  const tickets = createLine<ModelLane>();
  let [batches, workedMs, lastReplyMs, replies, environments, running] = [0, 0, 0, 0, 0, 0];
  let isLooking = false;
  const latenciesMs: number[] = [];

  /** An event source mapping: `take` gives what an invocation is for, as long as there is something. */
  const source = (hasMore: () => boolean, take: () => (end: () => void) => void) => {
    let busy = 0;
    const pump = () => {
      while (hasMore()) {
        if (busy >= load.maximumConcurrency) return hit("consumer's concurrency");
        const refusedBy = account.refusal();
        if (refusedBy !== undefined) {
          hit(refusedBy);
          agenda.in(between(random, 50, 150), pump);
          return;
        }
        const begin = take();
        const isCold = running >= environments;
        environments = Math.max(environments, running + 1);
        let beganMs = 0;
        const end = () => {
          workedMs += agenda.now() - beganMs;
          running -= 1;
          account.running -= 1;
          agenda.in(between(random, 2, 8), () => {
            busy -= 1;
            pump();
          });
        };
        [busy, running, batches] = [busy + 1, running + 1, batches + 1];
        account.running += 1;
        agenda.in(isCold ? between(random, 150, 400) : 0, () => {
          beganMs = agenda.now();
          begin(end);
        });
      }
    };
    return pump;
  };

  /** Handles webhooks one after the other; gives those that are left when something has to be waited for. */
  const handle = (
    lane: ModelLane,
    webhooks: readonly Webhook[],
    untilMs: number,
    isParked: boolean,
    done: (left: readonly Webhook[], waitMs: number) => void,
  ): void => {
    const [webhook, ...others] = webhooks;
    if (webhook === undefined) {
      done([], 0);
      return;
    }
    if (agenda.now() > untilMs) {
      done(webhooks, 0);
      return;
    }
    if (isParked) counts.tableWrites += 2;
    const next = () => {
      lane.failures = 0;
      lanes.settle();
      handle(lane, others, untilMs, isParked, done);
    };
    if (!webhook.isAnswered) {
      agenda.in(eventMs + (isParked ? 2 * awsMs() : 0), next);
      return;
    }
    effects.reply(lane, {
      stored: () => {
        replies += 1;
        if (webhook.atMs >= warmUpMs) latenciesMs.push(agenda.now() - webhook.atMs);
        lastReplyMs = agenda.now();
      },
      done: next,
      failed: (waitMs) => done(webhooks, waitMs),
    });
  };
  const wake = (lane: ModelLane, waitMs: number) => {
    agenda.in(waitMs, () => {
      tickets.add(lane);
      pumpTickets();
    });
  };

  const beginBatch = (batch: ReadonlyMap<ModelLane, Webhook[]>, end: () => void) => {
    const apps = new Set([...batch.keys()].map(({ app }) => app));
    counts.healthReads += apps.size;
    for (const app of apps) effects.readHealth(app);
    const asked = [...batch.keys()].filter((lane) => marked.has(markOf(lane))).length;
    counts.laneReads += asked;
    let open = batch.size;
    const held = new Set(batch.keys());
    const finish = (lane: ModelLane) => {
      open -= 1;
      agenda.in(earlyMs, () => {
        if (open > 0 && held.delete(lane)) {
          counts.queueRequests += 1;
          lanes.release(lane);
          look();
        }
      });
      if (open > 0) return;
      end();
      agenda.in(between(random, 2, 8), () => {
        for (const one of held) lanes.release(one);
        held.clear();
        look();
      });
    };
    agenda.in(awsMs() + (asked > 0 ? awsMs() : 0), () => {
      for (const [lane, webhooks] of batch) {
        if (lane.parked !== undefined) {
          counts.tableWrites += 2 * webhooks.length;
          lanes.park(lane, webhooks);
          agenda.in(2 * webhooks.length * awsMs(), () => finish(lane));
          continue;
        }
        handle(lane, webhooks, Number.POSITIVE_INFINITY, false, (left, waitMs) => {
          if (left.length === 0) {
            finish(lane);
            return;
          }
          lane.failures += 1;
          marked.add(markOf(lane));
          counts.tableWrites += left.length + 1;
          counts.queueRequests += 1;
          lanes.park(lane, left);
          wake(lane, Math.max(waitMs, effects.backoffMs(lane)));
          agenda.in((left.length + 2) * awsMs(), () => finish(lane));
        });
      }
    });
  };
  const beginTicket = (lane: ModelLane, end: () => void) => {
    const untilMs = agenda.now() + resumptionMs;
    counts.tableWrites += 1;
    const goOn = () => {
      const page = lane.parked?.slice(0, 10) ?? [];
      counts.otherReads += 1;
      if (page.length === 0) {
        counts.tableWrites += 1;
        lane.parked = undefined;
        agenda.in(awsMs(), end);
        return;
      }
      handle(lane, page, untilMs, true, (left, waitMs) => {
        lane.parked = [...left, ...(lane.parked?.slice(page.length) ?? [])];
        if (left.length === 0) {
          agenda.in(awsMs(), goOn);
          return;
        }
        if (waitMs > 0) lane.failures += 1;
        counts.tableWrites += 1;
        counts.queueRequests += 1;
        wake(lane, waitMs > 0 ? Math.max(waitMs, effects.backoffMs(lane)) : 0);
        agenda.in(awsMs(), end);
      });
    };
    agenda.in(2 * awsMs(), goOn);
  };

  const pumpEvents = source(lanes.hasReady, () => {
    const batch = lanes.takeBatch();
    return (end) => beginBatch(batch, end);
  });
  const pumpTickets = source(tickets.hasSome, () => {
    const lane = tickets.take();
    return (end) => (lane === undefined ? end() : beginTicket(lane, end));
  });
  const look = () => {
    if (isLooking) return;
    isLooking = true;
    agenda.in(between(random, 5, 25), () => {
      isLooking = false;
      pumpEvents();
    });
  };

  return {
    look,
    latenciesMs,
    replies: () => replies,
    lastReplyMs: () => lastReplyMs,
    batches: () => batches,
    workedMs: () => workedMs,
    counts,
  };
}
