import { describe, expect, it } from "vitest";
import { isNight } from "../helpers/by-day.ts";
import { rotationOrders, runRotations } from "./scenarios/rotation.ts";
import { seed, unhurried } from "./seeds.ts";

const perSecond = isNight ? 50 : 5;

describe(`rotating under ${perSecond} events a second, while processes die`, unhurried, () => {
  it.runIf(isNight)("refuses and loses nothing, with password and key at once", async () => {
    const order = rotationOrders["both at once"];
    const figures = await runRotations({ seed, perSecond, order, deaths: 1 });

    expect(figures).toMatchObject({ refused: 0, unanswered: 0, left: [], isSamePassword: true });
    expect(figures.sent).toBeGreaterThan(20 * perSecond);
    expect(figures.rotationDeaths + figures.processesReplaced).toBeGreaterThan(100);
  });
});
