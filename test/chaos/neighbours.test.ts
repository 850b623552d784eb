import { describe, expect, it } from "vitest";
import { kept, keptOf } from "./scenarios/kept.ts";
import { runNeighbours } from "./scenarios/neighbours.ts";
import { newSeed, unhurried } from "./seeds.ts";

describe("an app whose platform is down", unhurried, () => {
  it("does not slow another app down, and loses nothing", async () => {
    const seed = newSeed();
    const alone = await runNeighbours({ seed, events: 0, hours: 0.5 });
    const beside = await runNeighbours({ seed, events: 300, hours: 0.5 });

    expect(keptOf(beside.well), `seed ${seed}`).toEqual(kept);
    expect(keptOf(beside.ill), `seed ${seed}`).toEqual(kept);
    expect(beside.ill.answered).toBe(300);
    expect(beside.wellP50Ms / alone.wellP50Ms, `seed ${seed}`).toBeLessThan(1.1);
    expect(beside.drainedMinutes, `seed ${seed}`).toBeLessThanOrEqual(30);
    expect(beside.requests, `seed ${seed}`).toBeLessThan(600);
  });
});
