import { expect, it } from "vitest";
import { firstByDay } from "../helpers/by-day.ts";
import { kept } from "./scenarios/kept.ts";
import { seed, unhurried } from "./seeds.ts";
import type { ChatRequest, Reception } from "./world/chat-platform.ts";
import { replyAs } from "./world/handlers.ts";
import { judge, percentile, type Verdict } from "./world/judge.ts";
import { minute, play, upTo, well } from "./world/play.ts";

const ofApp = { "x-rate-limit": "20000", "x-rate-limit-remaining": "15000" };
const own = { "x-rate-limit": "30", "x-rate-limit-remaining": "0" };

/** A consumer's concurrent batches: the deployed default, and many. */
const cases = [
  [2, "the app's", ofApp],
  [2, "the user's own", own],
  [50, "the app's", ofApp],
] as const;
it.each(firstByDay(cases))(
  "slows replies to others at most 1.1 times while one user is at its limit, concurrency %i, its 429: %s",
  unhurried,
  async (concurrency, _, numbers) => {
    const minutes = 4;
    const alone = await runBusyUser({ seed, concurrency, minutes, perMinute: 0, numbers });
    const beside = await runBusyUser({ seed, concurrency, minutes, perMinute: 60, numbers });

    expect(beside.refused).toBeGreaterThan(0);
    expect(beside.busy).toMatchObject({ ...kept, answered: minutes * 60 });
    expect(beside.others).toMatchObject({ ...kept, answered: minutes * 60 });
    expect(beside.othersMeanMs / alone.othersMeanMs).toBeLessThan(1.1);
    expect(percentile(beside.others.latenciesMs, 0.99)).toBeLessThan(
      1.25 * percentile(alone.others.latenciesMs, 0.99),
    );
  },
);

interface BusyUserOptions {
  readonly seed: number;
  readonly concurrency: number;
  /** Messages a minute that the busy user answers, in ten conversations. 0: no user is busy. */
  readonly perMinute: number;
  readonly minutes: number;
  /** Of a 429, beside `Retry-After`. */
  readonly numbers: Readonly<Record<string, string>>;
}

interface BusyUserFigures {
  readonly busy: Verdict;
  readonly others: Verdict;
  /** Of the other users, from the queue to the answer, in milliseconds. */
  readonly othersMeanMs: number;
  readonly refused: number;
}

/** docs/internals/platform/answers-and-errors.md#rate-limits */
const sendsAMinute = 30;
const busyConversations = 10;

/** Each conversation is answered by a different user, except ten, which one busy user answers. */
async function runBusyUser(options: BusyUserOptions): Promise<BusyUserFigures> {
  const { seed, concurrency, perMinute, minutes, numbers } = options;
  const used = new Map<string, number>();
  let refused = 0;
  const receptionOf = ({ method, user }: ChatRequest, nowMs: number): Reception => {
    if (method !== "POST") return well;
    const window = Math.floor(nowMs / minute);
    const key = `${user} ${window}`;
    used.set(key, (used.get(key) ?? 0) + 1);
    if ((used.get(key) ?? 0) <= sendsAMinute) return well;
    refused += 1;
    const seconds = Math.ceil(((window + 1) * minute - nowMs) / 1000);
    const headers = { "retry-after": String(seconds), ...numbers };
    return { kind: "answer", status: 429, code: "ERR_TOO_MANY_REQUESTS", headers };
  };
  const userOf = (group: string) => (group.startsWith("busy") ? "busy" : `user-of-${group}`);
  const { world } = await play({
    seed,
    maximumConcurrency: concurrency,
    receptionOf,
    hours: minutes / 6,
    triggersOf: () => ({ reply: replyAs("reply", userOf) }),
    facts: [
      ...upTo(minutes * 60, (n) => ({ id: `other-${n}`, conversation: `g${n % 20}`, atMs: n * 1000 })),
      ...upTo(minutes * perMinute, (n) => ({
        id: `busy-${n}`,
        conversation: `busy${n % busyConversations}`,
        atMs: Math.floor((n * minute) / perMinute) + 500,
      })),
    ],
  });
  const others = judge(world, (id) => id.startsWith("other-"));
  const { latenciesMs } = others;
  return {
    busy: judge(world, (id) => id.startsWith("busy-")),
    others,
    othersMeanMs: latenciesMs.reduce((sum, ms) => sum + ms, 0) / latenciesMs.length,
    refused,
  };
}
