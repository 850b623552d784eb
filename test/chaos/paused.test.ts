import { describe, expect, it } from "vitest";
import { epochMs } from "../../local/testing/world/clock.ts";
import { kept, keptOf } from "./scenarios/kept.ts";
import { newSeed, seeds } from "./seeds.ts";
import { judge } from "./world/judge.ts";
import { createWorld } from "./world/world.ts";

const hour = 3_600_000;
const day = 24 * hour;

describe("a consumer that is switched off for three days", () => {
  it.each(seeds())(
    "buries nothing when the platform is out for half an hour after it is switched on (seed %i)",
    async (seed) => {
      const world = createWorld({
        seed,
        standstill: { fromMs: 0, toMs: 3 * day },
        receptionOf: (_, nowMs) =>
          nowMs < epochMs + 3 * day + hour / 2 ? { kind: "answer", status: 503 } : { kind: "well" },
      });
      for (let number = 0; number < 200; number += 1) {
        world.send({ id: `m${number}`, conversation: `g${number % 40}`, atMs: number * 60_000 });
      }
      await world.run(6 * day);
      world.close();

      const verdict = judge(world);
      expect(keptOf(verdict)).toEqual(kept);
      expect(verdict.answered).toBe(200);
    },
  );

  it.each(seeds())("buries no lane that was parked before it was switched off (seed %i)", async (seed) => {
    const world = createWorld({
      seed,
      standstill: { fromMs: hour, toMs: 3 * day },
      receptionOf: (_, nowMs) =>
        nowMs < epochMs + 3 * day + hour / 2 ? { kind: "answer", status: 503 } : { kind: "well" },
    });
    for (let number = 0; number < 100; number += 1) {
      world.send({ id: `m${number}`, conversation: `g${number % 20}`, atMs: number * 60_000 });
    }
    await world.run(6 * day);
    world.close();

    const verdict = judge(world);
    expect(keptOf(verdict)).toEqual(kept);
    expect(verdict.answered).toBe(100);
  });

  it("dead-letters what fails for the maximum wait after it was switched on", async () => {
    const world = createWorld({
      seed: newSeed(),
      settings: { PATIENCE_HOURS: "4" },
      standstill: { fromMs: 0, toMs: 3 * day },
      receptionOf: () => ({ kind: "answer", status: 503 }),
    });
    for (let number = 0; number < 20; number += 1) {
      world.send({ id: `m${number}`, conversation: `g${number}`, atMs: number * 60_000 });
    }
    await world.run(4 * day);
    world.close();

    const { dead, lost, stranded } = judge(world);
    expect({ dead: dead.length, lost, stranded }, `seed ${world.seed}`).toEqual({
      dead: 20,
      lost: [],
      stranded: [],
    });
    expect(Math.min(...dead.map(({ atMs }) => atMs))).toBeGreaterThan(3 * day + 4 * hour);
    expect(Math.max(...dead.map(({ atMs }) => atMs))).toBeLessThan(3 * day + 5 * hour);
  });
});

describe("tables that are out for 26 hours", () => {
  it.each(seeds())("cost no event that meets a failure afterwards (seed %i)", async (seed) => {
    const world = createWorld({
      seed,
      fateOf: (operation, _, nowMs) =>
        operation.startsWith("dynamodb.") && nowMs > epochMs + 130_000 && nowMs < epochMs + 26 * hour
          ? "not connected"
          : "answered",
      receptionOf: (_, nowMs) => {
        const isIll =
          nowMs < epochMs + 3 * 60_000 || (nowMs > epochMs + 25 * hour && nowMs < epochMs + 26.5 * hour);
        return isIll ? { kind: "answer", status: 503 } : { kind: "well" };
      },
    });
    for (let number = 0; number < 20; number += 1) {
      world.send({ id: `m${number}`, conversation: `g${number % 10}`, atMs: number * 20_000 });
    }
    await world.run(6 * day);
    world.close();

    const verdict = judge(world);
    expect(keptOf(verdict)).toEqual(kept);
    expect(verdict.answered).toBe(20);
  });
});
