import { describe, expect, it } from "vitest";
import { firstByDay } from "./by-day.ts";
import { type IsolationFigures, runFullOutage, runIsolation, spreadOf } from "./scenarios/isolation.ts";
import { kept, keptOf } from "./scenarios/kept.ts";
import { outages } from "./scenarios/outage.ts";
import { newSeed, unhurried } from "./seeds.ts";

const seconds = 1_000;
const minutes = 60 * seconds;

/** What one message in a hundred exceeds while nothing is wrong. */
const undisturbedMs = 80;

/** A consumer's batches at a time: many, and what is deployed by default. */
const concurrencies = [50, 2] as const;

function withoutDead({ verdict }: IsolationFigures) {
  return { ...keptOf(verdict), dead: [] };
}

describe("a trigger that meets trouble, and another one of the same events", unhurried, () => {
  const kinds = [
    { name: "answers 503", concurrency: 50 },
    { name: "silence", concurrency: 2 },
    { name: "no connection", concurrency: 50 },
    { name: "answers 503", concurrency: 2 },
    { name: "silence", concurrency: 50 },
    { name: "no connection", concurrency: 2 },
  ] as const;

  it.each(firstByDay(kinds, 2))(
    "is answered as ever while what the first one reads is out for 2 h: $name, concurrency $concurrency",
    async ({ name, concurrency }) => {
      const outage = outages[name];
      const figures = await runIsolation({ seed: newSeed(), concurrency, outage, messages: 600, groups: 60 });

      expect(keptOf(figures.verdict)).toEqual(kept);
      expect(figures.verdict.answered).toBe(600);
      expect(figures.ownOutOfOrder).toEqual([]);
      expect(figures.ownMs).toHaveLength(600);
      expect(spreadOf(figures.replyMs).most).toBeLessThan(undisturbedMs + seconds);
    },
  );

  it.each(firstByDay(concurrencies))(
    "costs the others of its group at most 4 min where it throws for one user, concurrency %i",
    async (concurrency) => {
      const figures = await runIsolation({ seed: newSeed(), concurrency, trouble: "throw", messages: 60 });

      expect(withoutDead(figures)).toEqual(kept);
      expect(figures.verdict.dead).toHaveLength(120);
      expect(spreadOf(figures.groupReplyMs).most).toBeLessThan(undisturbedMs + seconds);
      expect(figures.ownOutOfOrder).toEqual([]);
      expect(figures.ownMs.length).toBeGreaterThanOrEqual(600);
      expect(spreadOf(figures.ownMs).median).toBeLessThan(seconds);
      expect(spreadOf(figures.ownMs).last).toBeLessThan(4 * minutes);
    },
  );

  it.each(firstByDay(concurrencies.toReversed()))(
    "costs the others at most 30 s, once, where its handler hangs for one user, concurrency %i",
    async (concurrency) => {
      const figures = await runIsolation({ seed: newSeed(), concurrency, trouble: "hang", messages: 60 });

      expect(withoutDead(figures)).toEqual(kept);
      expect(spreadOf(figures.replyMs).last).toBeLessThan(30 * seconds);
      // Those that came within the first 30 s.
      expect(figures.replyMs.filter((ms) => ms > seconds).length).toBeLessThanOrEqual(6);
      expect(figures.ownOutOfOrder).toEqual([]);
    },
  );
});

describe("five triggers of the same events", unhurried, () => {
  const outOf = [
    { name: "answers 503", writesBefore: 23_281 },
    { name: "silence", writesBefore: 21_041 },
  ] as const;

  it.each(firstByDay(outOf))(
    "wait in one lane while the whole platform is out for 2 h: $name",
    async ({ name, writesBefore }) => {
      const { verdict, writes } = await runFullOutage({ seed: newSeed(), outage: outages[name] });

      expect(keptOf(verdict)).toEqual(kept);
      expect(verdict.answered).toBe(600);
      // What it cost when a lane always waited as a whole.
      expect(writes).toBeLessThan(1.2 * writesBefore);
    },
  );

  it("ask for nothing more while all is well", async () => {
    const { verdict, requests } = await runFullOutage({ seed: 1 });

    expect(keptOf(verdict)).toEqual(kept);
    expect(requests).toBe(7_240);
  });
});
