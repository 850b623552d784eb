import { describe, expect, it } from "vitest";
import { epochMs } from "../../local/testing/world/clock.ts";
import { kept, keptOf } from "./scenarios/kept.ts";
import { newSeed, seeds, unhurried } from "./seeds.ts";
import { judge } from "./world/judge.ts";
import { createWorld } from "./world/world.ts";

const minute = 60_000;

/** Sends one message to each of so many conversations at once, with calls of 100 ms; gives the slowest answer in ms. */
async function slowestOf(lanes: number, seed: number): Promise<number> {
  const world = createWorld({ seed, receptionOf: () => ({ kind: "well", ms: 100 }) });
  world.send({ id: "warm-up", conversation: "g0", atMs: 0 });
  for (let lane = 0; lane < lanes; lane += 1) {
    world.send({ id: `m${lane}`, conversation: `g${lane}`, atMs: 10_000 });
  }
  await world.run(60 * minute);
  world.close();
  const { latenciesMs } = judge(world, (id) => id !== "warm-up");
  expect(latenciesMs).toHaveLength(lanes);
  // The model stores a message half-way through the call.
  return (latenciesMs.at(-1) ?? 0) + 50;
}

describe("lanes", unhurried, () => {
  it.each(seeds())(
    "run side by side: ten with a call of 100 ms take no 1.5 times one (seed %i)",
    async (seed) => {
      const one = await slowestOf(1, seed);
      const ten = await slowestOf(10, seed);

      expect(ten).toBeLessThanOrEqual(1.5 * one);
    },
  );

  it.each(seeds())("are all answered when every call takes 9 s: 40 conversations (seed %i)", async (seed) => {
    const world = createWorld({ seed, receptionOf: () => ({ kind: "well", ms: 9_000 }) });
    for (let number = 0; number < 120; number += 1) {
      world.send({ id: `m${number}`, conversation: `g${number % 40}`, atMs: number * 50 });
    }
    await world.run(120 * minute);
    world.close();

    const verdict = judge(world);
    expect(keptOf(verdict)).toEqual(kept);
    expect(verdict.answered).toBe(120);
    expect(verdict.latenciesMs.at(-1)).toBeLessThan(2 * minute);
  });

  it.each(seeds())(
    "may take as long as they need: no event is tried twice for it (seed %i)",
    async (seed) => {
      const world = createWorld({ seed, receptionOf: () => ({ kind: "well", ms: 9_000 }) });
      for (let number = 0; number < 40; number += 1) {
        world.send({ id: `m${number}`, conversation: `g${number % 2}`, atMs: number * 50 });
      }
      await world.run(120 * minute);
      world.close();

      expect(keptOf(judge(world))).toEqual(kept);
      expect([...world.diary.begun.values()].filter((times) => times.length !== 1)).toEqual([]);
    },
  );

  it("never lose their ticket, however often it is put off", async () => {
    const seed = newSeed();
    const seen = new Set<string>();
    // Each event's first send is unclear, so that each costs its lane three looks: far more than a thousand hand-outs.
    const world = createWorld({
      seed,
      receptionOf: ({ method, text }) => {
        if (method === "GET" || seen.has(text)) return { kind: "well" };
        seen.add(text);
        return { kind: "answer", status: 503 };
      },
    });
    for (let number = 0; number < 400; number += 1) {
      world.send({ id: `m${number}`, conversation: "g", atMs: number * 100 });
    }
    await world.run(72 * 60 * minute);
    world.close();

    expect(keptOf(judge(world)), `seed ${seed}`).toEqual(kept);
  });

  it("go on when the consumer's environments are replaced again and again", async () => {
    const seed = newSeed();
    const world = createWorld({
      seed,
      receptionOf: (_, nowMs) => ({ kind: nowMs < epochMs + 20 * minute ? "silence" : "well" }),
      killAfterMs: (random) => (random() < 0.05 ? Math.floor(random() * 20_000) : undefined),
    });
    for (let number = 0; number < 200; number += 1) {
      world.send({ id: `m${number}`, conversation: `g${number % 20}`, atMs: number * 5_000 });
    }
    await world.run(48 * 60 * minute);
    world.close();

    expect(keptOf(judge(world)), `seed ${seed}`).toEqual(kept);
  });
});
