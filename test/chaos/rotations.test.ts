import { describe, expect, it } from "vitest";
import { rotationOrders, runRotations } from "./scenarios/rotation.ts";
import { newSeed, unhurried } from "./seeds.ts";

describe("rotating under 50 events a second, while processes die", unhurried, () => {
  it.each(["password, then key", "both at once"] as const)("refuses and loses nothing: %s", async (order) => {
    const seed = newSeed();
    const figures = await runRotations({ seed, perSecond: 50, order: rotationOrders[order] });

    expect(figures, `seed ${seed}`).toMatchObject({
      refused: 0,
      unanswered: 0,
      left: [],
      isSamePassword: true,
    });
    expect(figures.sent).toBeGreaterThan(1_000);
    expect(figures.rotationDeaths + figures.processesReplaced).toBeGreaterThan(100);
  });
});
