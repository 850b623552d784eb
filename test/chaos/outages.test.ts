import { describe, expect, it } from "vitest";
import { epochMs } from "../../local/testing/world/clock.ts";
import { isNight } from "./by-day.ts";
import { kept, keptOf } from "./scenarios/kept.ts";
import { outages, runOutage } from "./scenarios/outage.ts";
import { newSeed, seeds, unhurried } from "./seeds.ts";
import { judge } from "./world/judge.ts";
import { createWorld } from "./world/world.ts";

const hour = 3_600_000;

describe("an outage of an app's platform", unhurried, () => {
  const kinds = Object.entries(outages).map(([name, outage]) => ({ name, outage, seed: newSeed() }));

  it.each(kinds)("of 10 minutes costs time and no event: $name (seed $seed)", async ({ outage, seed }) => {
    const figures = await runOutage({ seed, outage, minutes: 10, eventsPerSecond: 0.1, conversations: 30 });

    expect(keptOf(figures)).toEqual(kept);
    expect(figures.firstAnswerMinutes).toBeLessThanOrEqual(15);
    expect(figures.drainedMinutes).toBeLessThanOrEqual(30);
    expect(figures.requests).toBeLessThanOrEqual(400);
  });

  it.each(seeds())("of 2 hours is waited for with few requests (seed %i)", async (seed) => {
    const outage = outages.silence;
    const figures = await runOutage({ seed, outage, minutes: 120, eventsPerSecond: 0.1, conversations: 60 });

    expect(keptOf(figures)).toEqual(kept);
    expect(figures.firstAnswerMinutes).toBeLessThanOrEqual(15);
    expect(figures.drainedMinutes).toBeLessThanOrEqual(30);
    // One probe in 30 s are 240; what is beyond belongs to the first minute, before the breaker opens.
    expect(figures.requests).toBeLessThanOrEqual(400);
  });

  it.each(seeds())("of 2 hours does not bury the only event of a quiet app (seed %i)", async (seed) => {
    const world = createWorld({
      seed,
      receptionOf: (_, nowMs) => ({ kind: nowMs < epochMs + 2 * hour ? "silence" : "well" }),
    });
    world.send({ id: "lone", conversation: "g", atMs: 60_000 });
    await world.run(48 * hour);
    world.close();

    const verdict = judge(world);
    expect(keptOf(verdict)).toEqual(kept);
    expect(verdict.latenciesMs[0]).toBeLessThan(2 * hour + 15 * 60_000);
  });

  it.each(seeds())(
    "of 20 minutes costs no try of a reply before which something is looked up (seed %i)",
    async (seed) => {
      // The look takes all the time of each attempt, so that the reply after it is never begun.
      const world = createWorld({
        seed,
        enabledTriggers: "look,reply",
        receptionOf: (_, nowMs) => ({ kind: nowMs < epochMs + 20 * 60_000 ? "silence" : "well" }),
      });
      world.send({ id: "lone", conversation: "g", atMs: 1_000 });
      await world.run(48 * hour);
      world.close();

      const verdict = judge(world);
      expect(keptOf(verdict)).toEqual(kept);
      expect(verdict.answered).toBe(1);
      expect(verdict.latenciesMs[0]).toBeLessThan(35 * 60_000);
    },
  );

  it.each([newSeed()])(
    "without end dead-letters one event of each conversation per maximum wait, with its cause (seed %i)",
    async (seed) => {
      const world = createWorld({
        seed,
        settings: { PATIENCE_HOURS: "3" },
        receptionOf: () => ({ kind: "answer", status: 503 }),
      });
      for (let number = 0; number < 8; number += 1) {
        world.send({ id: `m${number}`, conversation: `g${number % 4}`, atMs: number * 60_000 });
      }
      await world.run(10 * hour);
      world.close();

      const { dead, lost } = judge(world);
      expect(lost).toEqual([]);
      expect(dead.map(({ factId }) => factId).toSorted()).toEqual(
        [0, 1, 2, 3, 4, 5, 6, 7].map((n) => `m${n}`),
      );
      expect(new Set(dead.map(({ reason }) => reason))).toEqual(new Set(["patience"]));
      expect(dead[0]?.cause).toContain("503");
      // The second of a conversation begins to wait when the first is dead-lettered.
      for (const { factId, atMs } of dead) {
        const waits = factId < "m4" ? 1 : 2;
        expect(atMs).toBeGreaterThanOrEqual(waits * 3 * hour);
        expect(atMs).toBeLessThan(waits * 3.5 * hour);
      }
    },
  );
});

describe("an outage of what the consumer itself stands on", unhurried, () => {
  it.each(["silence", "not connected", "throttled"] as const)(
    "leaves events in the queue while the tables are out for 30 minutes: %s",
    async (fate) => {
      const isOut = (nowMs: number) => nowMs > epochMs + 300_000 && nowMs < epochMs + 2_100_000;
      const world = createWorld({
        seed: newSeed(),
        fateOf: (operation, _, nowMs) =>
          operation.startsWith("dynamodb.") && isOut(nowMs) ? fate : "answered",
      });
      for (let number = 0; number < 240; number += 1) {
        world.send({ id: `m${number}`, conversation: `g${number % 30}`, atMs: number * 5_000 });
      }
      await world.run(48 * hour);
      world.close();

      const verdict = judge(world);
      expect(keptOf(verdict), `seed ${world.seed}`).toEqual(kept);
      expect(verdict.latenciesMs.at(-1)).toBeLessThan(45 * 60_000);
    },
  );

  it.runIf(isNight).each(seeds())(
    "buries nothing while half of what the tables are asked fails and the platform is down, for 12 hours (seed %i)",
    async (seed) => {
      const isOut = (nowMs: number) => nowMs < epochMs + 12 * hour;
      const world = createWorld({
        seed,
        receptionOf: (_, nowMs) => (isOut(nowMs) ? { kind: "answer", status: 503 } : { kind: "well" }),
        fateOf: (operation, _, nowMs, random) =>
          operation.startsWith("dynamodb.") && isOut(nowMs) && random() < 0.5 ? "failed" : "answered",
      });
      for (let number = 0; number < 60; number += 1) {
        world.send({ id: `m${number}`, conversation: `g${number % 20}`, atMs: number * 60_000 });
      }
      await world.run(60 * hour);
      world.close();

      const verdict = judge(world);
      expect(keptOf(verdict)).toEqual(kept);
      expect(verdict.answered).toBe(60);
    },
  );

  it("leaves events in the queue while it takes no tickets", async () => {
    const isOut = (nowMs: number) => nowMs > epochMs + 300_000 && nowMs < epochMs + 2_100_000;
    const world = createWorld({
      seed: newSeed(),
      receptionOf: (_, nowMs) => ({ kind: isOut(nowMs) ? "silence" : "well" }),
      fateOf: (operation, body, nowMs) =>
        operation.startsWith("sqs.") && body.includes("parked-lanes") && isOut(nowMs)
          ? "silence"
          : "answered",
    });
    for (let number = 0; number < 240; number += 1) {
      world.send({ id: `m${number}`, conversation: `g${number % 30}`, atMs: number * 5_000 });
    }
    await world.run(48 * hour);
    world.close();

    expect(keptOf(judge(world)), `seed ${world.seed}`).toEqual(kept);
  });

  it("keeps the order when nothing runs for hours while lanes are parked", async () => {
    const minute = 60_000;
    const within = (nowMs: number, from: number, to: number) =>
      nowMs > epochMs + from * minute && nowMs < epochMs + to * minute;
    const world = createWorld({
      seed: newSeed(),
      receptionOf: (_, nowMs) => ({ kind: within(nowMs, 1, 6) ? "silence" : "well" }),
      fateOf: (operation, _, nowMs) =>
        operation.startsWith("dynamodb.") && within(nowMs, 6, 150) ? "not connected" : "answered",
    });
    for (let number = 0; number < 40; number += 1) {
      world.send({ id: `first-${number}`, conversation: `g${number}`, atMs: 2 * minute });
      world.send({ id: `second-${number}`, conversation: `g${number}`, atMs: 150 * minute + 1_000 });
    }
    await world.run(48 * hour);
    world.close();

    expect(keptOf(judge(world)), `seed ${world.seed}`).toEqual(kept);
  });

  it.each(seeds())(
    "keeps the order when no consumer runs for thirteen days while lanes are parked (seed %i)",
    async (seed) => {
      const minute = 60_000;
      const standstill = { fromMs: 6 * minute, toMs: 13 * 24 * hour };
      const world = createWorld({
        seed,
        receptionOf: (_, nowMs) => ({ kind: nowMs < epochMs + 6 * minute ? "silence" : "well" }),
        standstill,
      });
      // Too few to open a breaker, which would hold the later events back, too.
      for (let number = 0; number < 4; number += 1) {
        world.send({ id: `first-${number}`, conversation: `g${number}`, atMs: 2 * minute });
        world.send({ id: `second-${number}`, conversation: `g${number}`, atMs: standstill.toMs - minute });
      }
      await world.run(standstill.toMs + 48 * hour);
      world.close();

      const verdict = judge(world);
      expect(keptOf(verdict)).toEqual(kept);
      expect(verdict.answered).toBe(8);
    },
  );

  it("loses no ticket of a parked lane while tables are out for 20 hours", async () => {
    const world = createWorld({
      seed: newSeed(),
      receptionOf: (_, nowMs) => ({ kind: nowMs < epochMs + 60_000 ? "silence" : "well" }),
      fateOf: (operation, _, nowMs) =>
        operation.startsWith("dynamodb.") && nowMs > epochMs + 40_000 && nowMs < epochMs + 20 * hour
          ? "not connected"
          : "answered",
    });
    for (let number = 0; number < 5; number += 1) {
      world.send({ id: `m${number}`, conversation: `g${number}`, atMs: 0 });
    }
    await world.run(48 * hour);
    world.close();

    expect(keptOf(judge(world)), `seed ${world.seed}`).toEqual(kept);
    expect(judge(world).answered).toBe(5);
  });

  it.each(seeds())("waits for a secret that cannot be read for 20 minutes (seed %i)", async (seed) => {
    const world = createWorld({
      seed,
      readsSecret: (nowMs) => nowMs > epochMs + 20 * 60_000,
    });
    for (let number = 0; number < 60; number += 1) {
      world.send({ id: `m${number}`, conversation: `g${number % 10}`, atMs: number * 10_000 });
    }
    await world.run(48 * hour);
    world.close();

    expect(keptOf(judge(world))).toEqual(kept);
  });
});
