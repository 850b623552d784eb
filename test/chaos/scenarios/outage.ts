import { epochMs } from "../../../local/testing/simulated/clock.ts";
import { between } from "../../../local/testing/simulated/random.ts";
import type { Reception } from "../world/chat-platform.ts";
import { answerTimes, type Verdict } from "../world/judge.ts";
import { isWithin, minute, platformDuring, play, upTo } from "../world/play.ts";

/** The ways in which an app's whole platform can be down. */
export const outages = {
  silence: { kind: "silence" },
  "no connection": { kind: "no connection" },
  "answers 500": { kind: "answer", status: 500 },
  "answers 503": { kind: "answer", status: 503 },
  "a proxy's page with 403": { kind: "page", status: 403 },
  "a key that is refused": { kind: "answer", status: 401, code: "AUTH_ERR_APIKEY_NOT_FOUND" },
  "429 without an end": { kind: "answer", status: 429, code: "ERR_TOO_MANY_REQUESTS" },
  "429 with Retry-After": {
    kind: "answer",
    status: 429,
    code: "ERR_TOO_MANY_REQUESTS",
    headers: { "retry-after": "60" },
  },
} as const satisfies Record<string, Reception>;

export interface OutageOptions {
  readonly seed: number;
  readonly outage: Reception;
  readonly minutes: number;
  readonly eventsPerSecond: number;
  readonly conversations: number;
  /** Default: 50. */
  readonly concurrency?: number;
  /** Default: only `reply`. */
  readonly enabledTriggers?: string;
}

export interface OutageFigures extends Verdict {
  /** From the end of the outage to the first answer, in minutes. */
  readonly firstAnswerMinutes: number;
  /** From the end of the outage to the answer of the last event before its end, in minutes. */
  readonly drainedMinutes: number;
  /** Requests to the platform during the outage. */
  readonly requests: number;
}

/** An app's platform is down for a while, and healthy for ten minutes before and after. */
export async function runOutage(options: OutageOptions): Promise<OutageFigures> {
  const { seed, outage, minutes, eventsPerSecond, conversations, concurrency = 50 } = options;
  const { enabledTriggers = "reply" } = options;
  const beginsAt = 10 * minute;
  const endsAt = beginsAt + minutes * minute;
  const isOut = (nowMs: number) => isWithin(nowMs, beginsAt, endsAt);
  const count = Math.ceil(((endsAt + 10 * minute) / 1000) * eventsPerSecond);
  const { world, verdict } = await play({
    seed,
    maximumConcurrency: concurrency,
    enabledTriggers,
    hours: minutes / 60 + 48,
    receptionOf: platformDuring(beginsAt, endsAt, outage),
    facts: ({ random }) =>
      upTo(count, (n) => ({
        id: `m${n}`,
        conversation: `g${between(random, 1, conversations)}`,
        atMs: (n / eventsPerSecond) * 1000,
      })),
  });
  const times = answerTimes(world);
  const waiting = [...world.enqueued].filter(([, atMs]) => atMs < epochMs + endsAt);
  return {
    ...verdict,
    firstAnswerMinutes: (Math.min(...[...times.values()].filter((atMs) => atMs >= endsAt)) - endsAt) / minute,
    drainedMinutes:
      (Math.max(...waiting.map(([id]) => times.get(id) ?? Number.POSITIVE_INFINITY)) - endsAt) / minute,
    requests: world.platform.requestsOf("app-1").filter(isOut).length,
  };
}
