import { describe, expect, it } from "vitest";
import { kept, keptOf } from "./scenarios/kept.ts";
import { judge, percentile } from "./world/judge.ts";
import { play, upTo, well } from "./world/play.ts";

describe("a conversation whose requests take 9 s", () => {
  it("does not hold back those that came in a batch with it", async () => {
    const lanes = upTo(9, (lane) => `g${lane}`);
    const { world, verdict } = await play({
      receptionOf: ({ receiver }) => (receiver === "slow" ? { kind: "well", ms: 9_000 } : well),
      facts: upTo(60, (round) => [
        { id: `slow-${round}`, conversation: "slow", atMs: round * 12_000 },
        ...lanes.flatMap((conversation) => [
          { id: `first-${round}-${conversation}`, conversation, atMs: round * 12_000 },
          { id: `second-${round}-${conversation}`, conversation, atMs: round * 12_000 + 1_000 },
        ]),
      ]).flat(),
    });

    const seconds = judge(world, (id) => id.startsWith("second-"));
    expect(keptOf(verdict)).toEqual(kept);
    expect(seconds.answered).toBe(540);
    expect(percentile(seconds.latenciesMs, 0.5)).toBeLessThan(2_000);
  });
});
