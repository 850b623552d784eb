import { describe, expect, it } from "vitest";
import { rotationOrders, runRotations } from "./scenarios/rotation.ts";
import { newSeed, unhurried } from "./seeds.ts";

describe("rotating under 50 events a second, while processes die", unhurried, () => {
  it("refuses and loses nothing, with password and key at once", async () => {
    const seed = newSeed();
    const order = rotationOrders["both at once"];
    const figures = await runRotations({ seed, perSecond: 50, order, deaths: 1 });

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
