import { describe, expect, it } from "vitest";
import { kept, keptOf } from "./scenarios/kept.ts";
import { seed } from "./seeds.ts";
import { judge, percentile } from "./world/judge.ts";
import { createWorld } from "./world/world.ts";

const hour = 3_600_000;

describe("a conversation whose requests take 9 s", () => {
  it("does not hold back those that came in a batch with it", async () => {
    const world = createWorld({
      seed,
      receptionOf: ({ receiver }) => (receiver === "slow" ? { kind: "well", ms: 9_000 } : { kind: "well" }),
    });
    for (let round = 0; round < 60; round += 1) {
      const atMs = round * 12_000;
      world.send({ id: `slow-${round}`, conversation: "slow", atMs });
      for (let lane = 0; lane < 9; lane += 1) {
        world.send({ id: `first-${round}-${lane}`, conversation: `g${lane}`, atMs });
        world.send({ id: `second-${round}-${lane}`, conversation: `g${lane}`, atMs: atMs + 1_000 });
      }
    }
    await world.run(10 * hour);
    world.close();

    const seconds = judge(world, (id) => id.startsWith("second-"));
    expect(keptOf(judge(world))).toEqual(kept);
    expect(seconds.answered).toBe(540);
    expect(percentile(seconds.latenciesMs, 0.5)).toBeLessThan(2_000);
  });
});
