import { describe, expect, it } from "vitest";
import { epochMs } from "../../local/testing/world/clock.ts";
import { kept, keptOf } from "./scenarios/kept.ts";
import { newSeed } from "./seeds.ts";
import { judge } from "./world/judge.ts";
import { createWorld } from "./world/world.ts";

const hour = 3_600_000;

describe("a secret with a mistake", () => {
  it.each([
    ["a line break behind the key", { apiKey: "a-key-of-the-app\n" }],
    ["a region that does not exist", { region: "us-east-1" }],
  ])("buries nothing, and is mended by its correction: %s", async (_mistake, mistake) => {
    const world = createWorld({
      seed: newSeed(),
      secretMistakeAt: (nowMs) => (nowMs < epochMs + 3 * hour ? mistake : undefined),
    });
    for (let number = 0; number < 12; number += 1) {
      world.send({ id: `m${number}`, conversation: `g${number}`, atMs: number * 60_000 });
    }
    await world.run(48 * hour);
    world.close();

    const verdict = judge(world);
    expect(keptOf(verdict), `seed ${world.seed}`).toEqual(kept);
    expect(verdict.answered).toBe(12);
    expect(verdict.latenciesMs[0]).toBeGreaterThan(2 * hour);
    expect(verdict.latenciesMs.at(-1)).toBeLessThan(3 * hour + 16 * 60_000);
  });
});
