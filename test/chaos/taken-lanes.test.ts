import { describe, expect, it } from "vitest";
import { epochMs } from "../../local/testing/simulated/clock.ts";
import { kept } from "./scenarios/kept.ts";
import { play } from "./world/play.ts";

describe("a parked lane that a thawed process takes from the one that goes on with it", () => {
  it("is not left without a ticket", async () => {
    let isStruck = false;
    const { verdict } = await play({
      facts: [0, 100, 95_000].map((atMs, number) => ({ id: `m${number}`, conversation: "g", atMs })),
      receptionOf: (_, nowMs) =>
        nowMs < epochMs + 3_000 ? { kind: "answer", status: 503 } : { kind: "well", ms: 9_000 },
      // The first process that goes on with the lane stands still before its token reaches the table.
      strikeAt: (operation, _process, _random, nowMs) => {
        if (isStruck || operation !== "dynamodb.UpdateItem" || nowMs < epochMs + 4_000) return "none";
        isStruck = true;
        return "frozen before";
      },
    });

    expect(isStruck).toBe(true);
    expect(verdict).toMatchObject({ ...kept, answered: 3 });
  });
});
