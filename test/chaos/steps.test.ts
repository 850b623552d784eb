import { describe, expect, it } from "vitest";
import { firstByDay } from "../helpers/by-day.ts";
import { stepsOfConsumer } from "./scenarios/steps.ts";
import { unhurried } from "./seeds.ts";
import { playStruck, type Strike, struckRun, turns } from "./strikes.ts";
import { upTo, well } from "./world/play.ts";

/**
 * Four messages of two conversations, of which one's first send is unclear and the other's refused: the main path,
 * parking, tickets and looks. Then two in one batch, one of them slow, and
 * after three minutes, when whatever stood still goes on, one more of each conversation. The consumer's processes are struck at the given edges.
 */
const run = struckRun(() => {
  const failed = new Set<string>();
  return {
    facts: [
      ...upTo(6, (n) => ({
        id: `m${n}`,
        conversation: `g${n % 2}`,
        atMs: n < 4 ? n * 30 : 180_000,
        text: "fickle",
      })),
      ...["slow", "quick"].map((conversation) => ({ id: conversation, conversation, atMs: 400 })),
    ],
    receptionOf: ({ method, receiver }) => {
      if (receiver === "slow") return { kind: "well", ms: 1_500 };
      if (receiver === "quick" || method === "GET" || failed.has(receiver)) return well;
      failed.add(receiver);
      return receiver === "g0"
        ? { kind: "answer lost" }
        : {
            kind: "answer",
            status: 429,
            headers: { "retry-after": "40", "x-rate-limit": "20000", "x-rate-limit-remaining": "0" },
          };
    },
  };
}, 8);

describe("a process that is struck at one of its steps", unhurried, () => {
  it("is not struck in this run, which shows the steps there are", async () => {
    const { breaches, edges } = await run([]);

    expect(breaches).toEqual([]);
    expect(new Set(edges)).toEqual(new Set(stepsOfConsumer));
  });

  it.each(turns)("breaks no promise, whichever step it is: $blow", async ({ blow, turn }) => {
    expect(await playStruck(run, (at) => [{ at, blow }], { turn, every: 8 })).toEqual([]);
  });

  it.each(firstByDay([...turns].reverse()))(
    "breaks no promise when a later one is struck too: $blow",
    async ({ blow }) => {
      const both = (at: number): Strike[] => [
        { at, blow: "killed after" },
        { at: at + 5, blow },
      ];
      expect(await playStruck(run, both, { turn: 0, every: 9 })).toEqual([]);
    },
  );
});
