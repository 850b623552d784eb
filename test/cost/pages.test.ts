import { describe, expect, it } from "vitest";
import { unhurried } from "../chaos/seeds.ts";
import { countCalls } from "./count-calls.ts";
import { billOf } from "./prices.ts";

describe("the cost in docs/deploy.md", unhurried, () => {
  it("requests no lane, writes no metric, and stays below 3.36 USD for a million webhooks at b = 5", async () => {
    const counted = await countCalls({ batch: 5, answered: 0.5, webhooks: 40 });

    expect(counted).toMatchObject({ batch: 5, laneReads: 0, otherReads: 0, metricLines: 0, logLines: 1 });
    expect(billOf(counted).sum).toBeLessThan(3.36);
  });
});
