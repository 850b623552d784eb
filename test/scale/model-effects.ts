import { between } from "../../local/testing/world/random.ts";
import type { ModelLane } from "./model-lanes.ts";
import type { ModelCounts, ModelWorld } from "./model-world.ts";
import { quotas } from "./quotas.ts";
import { createTokenBucket, type TokenBucket } from "./token-bucket.ts";

/** How a reply went. */
export interface ReplyListener {
  /** The platform has it. */
  stored(): void;
  done(): void;
  /** Nothing was sent; it may be tried again after so long. */
  failed(waitMs: number): void;
}

export interface ModelEffects {
  /** Begun, sent, done: within the table's and the platform's limits. */
  reply(lane: ModelLane, listener: ReplyListener): void;
  readHealth(app: number): void;
  /** How long a lane waits after its failures, as lib/queue/lanes/retry-delay.ts says. */
  backoffMs(lane: ModelLane): number;
}

interface App {
  windowStartMs: number;
  used: number;
  streak: Set<number>;
  probeAtMs: number | undefined;
  readonly reads: TokenBucket;
}

const windowMs = 60_000;
/** A request waits for the platform's next minute as long as its event has time (lib/handle/attempt-event.ts). */
const patienceMs = 28_000;
const probePauseMs = 30_000;
const openingStreak = 5;
/** As lib/aws/aws-call.ts: the pauses before the second and the third try are up to so long. */
const tablePausesMs = [100, 200] as const;

/** What an effect asks of the world. */
export function createModelEffects(
  { load, agenda, random, hit }: ModelWorld,
  counts: ModelCounts,
): ModelEffects {
  const table = createTokenBucket(load.tableWritesPerSecond);
  const apps = Array.from(
    { length: load.apps },
    (): App => ({
      windowStartMs: 0,
      used: 0,
      streak: new Set(),
      probeAtMs: undefined,
      reads: createTokenBucket(quotas["one app's health"].value),
    }),
  );
  const appOf = (number: number): App => {
    const app = apps[number];
    if (app === undefined) throw new Error(`There is no app ${number}.`);
    return app;
  };
  const awsMs = () => between(random, 2, 8);

  const write = (done: () => void, failed: () => void, tries = 0): void => {
    if (table.take(agenda.now())) {
      counts.tableWrites += 1;
      agenda.in(awsMs(), done);
      return;
    }
    hit("table's writes");
    const pauseMs = tablePausesMs[tries];
    if (pauseMs === undefined) {
      failed();
      return;
    }
    agenda.in(awsMs() + random() * pauseMs, () => write(done, failed, tries + 1));
  };
  /** What was sent is written down, however long it takes. */
  const insist = (done: () => void): void => write(done, () => agenda.in(250, () => insist(done)));

  const send = (lane: ModelLane, listener: ReplyListener): void => {
    const app = appOf(lane.app);
    const nowMs = agenda.now();
    if (app.probeAtMs !== undefined) {
      if (nowMs < app.probeAtMs) {
        listener.failed(app.probeAtMs - nowMs);
        return;
      }
      app.probeAtMs = nowMs + probePauseMs;
    }
    if (nowMs >= app.windowStartMs + windowMs) {
      app.windowStartMs = nowMs - (nowMs % windowMs);
      app.used = 0;
    }
    if (app.used >= quotas["chat platform"].value) {
      hit("chat platform");
      const waitMs = app.windowStartMs + windowMs - nowMs;
      if (waitMs <= patienceMs) {
        agenda.in(waitMs, () => send(lane, listener));
        return;
      }
      app.streak.add(lane.number);
      if (app.streak.size >= openingStreak) app.probeAtMs ??= nowMs + probePauseMs;
      listener.failed(waitMs);
      return;
    }
    app.used += 1;
    const halfMs = (load.platformMs * (0.9 + 0.2 * random())) / 2;
    agenda.in(halfMs, () => {
      listener.stored();
      agenda.in(halfMs, () => {
        app.streak.clear();
        app.probeAtMs = undefined;
        insist(listener.done);
      });
    });
  };

  return {
    reply: (lane, listener) =>
      write(
        () => send(lane, listener),
        () => listener.failed(1),
      ),
    readHealth: (number) => {
      if (!appOf(number).reads.take(agenda.now())) hit("one app's health");
    },
    backoffMs: ({ failures }) =>
      Math.min(5_000 * 3 ** Math.min(Math.max(0, failures - 1), 10), 720_000) * (1 + 0.25 * random()),
  };
}
