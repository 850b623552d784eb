import { describe, expect, it } from "vitest";
import { onTrigger } from "../../lib/handle/on-trigger.ts";
import { firstByDay, isNight } from "../helpers/by-day.ts";
import {
  type IsolationFigures,
  runIsolation,
  runOwn,
  runSparseHangs,
  spreadOf,
  type Trouble,
} from "./scenarios/isolation.ts";
import { kept } from "./scenarios/kept.ts";
import { outages } from "./scenarios/outage.ts";
import { seed, unhurried } from "./seeds.ts";
import { replyAs } from "./world/handlers.ts";
import { answerTimes } from "./world/judge.ts";
import { hour, isWithin, minute, play, upTo, well } from "./world/play.ts";

const seconds = 1_000;
const hours = isNight ? 2 : 0.5;

/** What one message in a hundred exceeds in normal operation. */
const undisturbedMs = 80;

/** A consumer's concurrent batches: many, and the deployed default. */
const concurrencies = [50, 2] as const;

function withoutDead({ verdict }: Pick<IsolationFigures, "verdict">) {
  return { ...verdict, dead: [] };
}

describe("a trigger with failures, beside another trigger of the same events", unhurried, () => {
  // test/promises plays "answers 503" with concurrency 2 by day.
  const kinds = (["no connection", "silence", "answers 503"] as const).flatMap((name) =>
    concurrencies.map((concurrency) => ({ name, concurrency })),
  );

  it.runIf(isNight).each(kinds)(
    `does not slow the other one during an outage of its host for ${hours} h: $name, concurrency $concurrency`,
    async ({ name, concurrency }) => {
      const [messages, groups] = isNight ? [600, 60] : [150, 20];
      const figures = await runIsolation({
        seed,
        concurrency,
        hours,
        outage: outages[name],
        messages,
        groups,
      });

      expect(figures.verdict).toMatchObject({ ...kept, answered: messages });
      expect(figures.ownOutOfOrder).toEqual([]);
      expect(figures.ownMs).toHaveLength(messages);
      expect(spreadOf(figures.replyMs).most).toBeLessThan(undisturbedMs + seconds);
    },
  );

  it.each(firstByDay(concurrencies))(
    "delays the others of its group by at most 4 min if it throws for one user, concurrency %i",
    async (concurrency) => {
      const figures = await runIsolation({ seed, concurrency, hours, trouble: "throw", messages: 60 });

      expect(withoutDead(figures)).toMatchObject(kept);
      expect(figures.verdict.dead).toHaveLength(60 * hours);
      expect(spreadOf(figures.groupReplyMs).most).toBeLessThan(undisturbedMs + seconds);
      expect(figures.ownOutOfOrder).toEqual([]);
      expect(figures.ownMs.length).toBeGreaterThanOrEqual(300 * hours);
      expect(spreadOf(figures.ownMs).median).toBeLessThan(seconds);
      expect(spreadOf(figures.ownMs).last).toBeLessThan(4 * minute);
    },
  );

  it.each(firstByDay(concurrencies.toReversed()))(
    "delays the others by at most 30 s, once, if its handler hangs for one user, concurrency %i",
    async (concurrency) => {
      const figures = await runIsolation({ seed, concurrency, hours, trouble: "hang", messages: 60 });

      expect(withoutDead(figures)).toMatchObject(kept);
      expect(spreadOf(figures.replyMs).last).toBeLessThan(30 * seconds);
      // Those that arrived within the first 30 s.
      expect(figures.replyMs.filter((ms) => ms > seconds).length).toBeLessThanOrEqual(6);
      expect(figures.ownOutOfOrder).toEqual([]);
    },
  );
});

describe("a trigger whose process crashes for one user", unhurried, () => {
  it.each(firstByDay(concurrencies.toReversed()))(
    "delays the others of its group by 150 s, once, concurrency %i",
    async (concurrency) => {
      const figures = await runIsolation({
        seed,
        concurrency,
        hours,
        trouble: "exit",
        messages: 60,
        isBurst: true,
      });

      expect(withoutDead(figures)).toMatchObject(kept);
      expect(figures.verdict.dead).toHaveLength(60 * hours);
      // The second crash shows which trigger ran; SQS returns an event after 75 s.
      expect(spreadOf(figures.replyMs).last).toBeLessThan(155 * seconds);
      expect(figures.groupReplyMs.filter((ms) => ms > seconds).length).toBeLessThanOrEqual(30);
      expect(figures.ownOutOfOrder).toEqual([]);
    },
  );
});

describe("a trigger that fails for every message", unhurried, () => {
  const play = (bug: Trouble, isInShadow: boolean) => {
    const [messages, groups] = isNight ? [1_500, 500] : [150, 60];
    return runIsolation({ seed, concurrency: 2, hours, messages, groups, bug, isInShadow });
  };

  // Until five conversations show it: a hang ends after 28 s; a crashed event returns after 75 s, twice.
  const delays = [
    ["hang", 2 * minute],
    ["exit", 3 * minute],
    ["block", 12 * minute],
  ] as const;
  it.each(firstByDay(delays))(
    "delays the others until its breaker opens, and recovers in 2 min: %s",
    async (bug, lastMs) => {
      const figures = await play(bug, false);

      expect(withoutDead(figures)).toMatchObject(kept);
      // An event may be dead-lettered after its effect if its process crashed.
      expect(figures.ownMs.length + figures.verdict.dead.length).toBeGreaterThanOrEqual(
        figures.verdict.facts,
      );
      expect(spreadOf(figures.replyMs).median).toBeLessThan(seconds);
      expect(spreadOf(figures.replyMs).last).toBeLessThan(lastMs);
      expect(figures.ownOutOfOrder).toEqual([]);
      expect(figures.recoveryMs).toBeLessThan(2 * minute);
    },
  );

  const delaysInShadow = [
    ["hang", 30 * seconds],
    ["exit", 3 * minute],
    ["block", 12 * minute],
  ] as const;
  it.each(firstByDay(delaysInShadow))(
    "dead-letters no event while it is in shadow: %s",
    async (bug, lastMs) => {
      const { verdict, replyMs } = await play(bug, true);

      expect(verdict).toMatchObject(kept);
      expect(spreadOf(replyMs).median).toBeLessThan(seconds);
      expect(spreadOf(replyMs).last).toBeLessThan(lastMs);
    },
  );
});

describe("a trigger that hangs in ten groups of seventy", unhurried, () => {
  const bursts = [
    { bursts: 1, everyMs: minute, most: 35 },
    { bursts: 12, everyMs: 20 * seconds, most: 120 },
  ];
  it.each(firstByDay(bursts))(
    "is delayed elsewhere by $most s at most, $bursts bursts of ten, one message per $everyMs ms",
    async ({ most, ...of }) => {
      const { median, last } = spreadOf(await runOwn({ seed, ...of }));

      expect(median).toBeLessThan(seconds);
      expect(last).toBeLessThan(most * seconds);
    },
  );
});

describe(
  "a trigger that hangs in some of a thousand conversations, at 20 messages a second",
  unhurried,
  () => {
    const shares = [
      { every: 20, messages: 400, most: 50 },
      { every: 100, messages: 1_000, most: 30 },
    ];
    it.each(firstByDay(shares))(
      "delays the others by $most s at most: in one of $every",
      async ({ most, ...of }) => {
        const figures = await runSparseHangs({ seed, ...of });

        expect(withoutDead(figures)).toMatchObject({ ...kept, answered: of.messages });
        expect(figures.verdict.dead).toHaveLength(of.messages / of.every);
        expect(spreadOf(figures.replyMs).last).toBeLessThan(most * seconds);
      },
    );
  },
);

it("a trigger that works for 28.7 s and ends does not count as hanging", unhurried, async () => {
  const times = await runOwn({ seed, everyMs: 6 * seconds, worksMs: 28_700 });

  expect(times).toHaveLength(600);
  expect(spreadOf(times).median).toBeLessThan(seconds);
});

it("a host that is out, beside a trigger that hangs, holds up no third trigger", unhurried, async () => {
  const where = { from: "anybody" } as const;
  const facts = upTo(100, (number) => ({ id: `m${number}`, conversation: `g${number}`, atMs: number * 20 }));
  const { world } = await play({
    seed,
    hours: 1,
    enabledTriggers: "asks,hangs,reply",
    maximumConcurrency: 50,
    receptionOf: ({ method }, nowMs) =>
      method === "GET" && isWithin(nowMs, 0, 2 * hour) ? { kind: "no connection" } : well,
    triggersOf: (process, clock) => ({
      asks: onTrigger("message_sent", { where }, async ({ chat }) => {
        await chat.messages.list({ limit: 1 }).page();
      }),
      hangs: onTrigger("message_sent", { where }, async () => {
        await process.edge("sleep", () => clock.sleep(hour));
      }),
      reply: replyAs(),
    }),
    facts,
  });
  const times = answerTimes(world);

  const waits = facts.map(({ id, atMs }) => (times.get(id) ?? Number.POSITIVE_INFINITY) - atMs);
  expect(Math.max(...waits)).toBeLessThan(minute);
});
