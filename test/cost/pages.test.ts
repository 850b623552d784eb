import { describe, expect, it } from "vitest";
import { unhurried } from "../chaos/seeds.ts";
import { countCalls } from "./count-calls.ts";
import { billOf } from "./prices.ts";

describe("the cost in docs/deploy.md", unhurried, () => {
  it("asks for no lane and writes no metric while all is well", async () => {
    const counted = await countCalls({ batch: 5, answered: 0.5, webhooks: 40 });

    expect(counted).toMatchObject({ batch: 5, laneReads: 0, otherReads: 0, metricLines: 0, logLines: 1 });
  });

  it("keeps a million webhooks at b = 5 below 3.70 USD", async () => {
    const counted = await countCalls({ batch: 5, answered: 0.5, webhooks: 40 });

    expect(billOf(counted).sum).toBeLessThan(3.7);
  });
});
