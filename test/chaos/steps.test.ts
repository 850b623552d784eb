import { describe, expect, it } from "vitest";
import { firstByDay } from "../helpers/by-day.ts";
import { breachesOf } from "./scenarios/kept.ts";
import { stepsOfConsumer } from "./scenarios/steps.ts";
import { unhurried } from "./seeds.ts";
import { playStruck, type Strike, strikeConsumer, turns } from "./strikes.ts";
import { judge } from "./world/judge.ts";
import { hour, well } from "./world/play.ts";
import { createWorld } from "./world/world.ts";

/**
 * Four messages of two conversations, of which one's first send is unclear and the other's refused: the main path,
 * parking, tickets and looks. Then two in one batch, one of them slow, and
 * after three minutes, when whatever stood still goes on, one more of each conversation. The consumer's processes are struck at the given edges.
 */
async function run(strikes: readonly Strike[]) {
  const { edges, strikeAt } = strikeConsumer(strikes);
  const failed = new Set<string>();
  const world = createWorld({
    seed: 1,
    pollAfterMs: () => 30,
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
    strikeAt,
  });
  for (const number of [0, 1, 2, 3]) {
    world.send({ id: `m${number}`, conversation: `g${number % 2}`, atMs: number * 30, text: "fickle" });
  }
  for (const conversation of ["slow", "quick"]) {
    world.send({ id: conversation, conversation, atMs: 400 });
  }
  for (const number of [4, 5]) {
    world.send({ id: `m${number}`, conversation: `g${number % 2}`, atMs: 180_000, text: "fickle" });
  }
  await world.run(6 * hour);
  world.close();
  return { breaches: breachesOf(judge(world), 8), edges };
}

describe("a process that is struck at one of its steps", unhurried, () => {
  it("is not struck in this run, which shows the steps there are", async () => {
    const { breaches, edges } = await run([]);

    expect(breaches).toEqual([]);
    expect(new Set(edges)).toEqual(new Set(stepsOfConsumer));
  });

  it.each(turns)("breaks no promise, whichever step it is: $blow", async ({ blow, turn }) => {
    expect(await playStruck(run, (at) => [{ at, blow }], { turn, every: 4 })).toEqual([]);
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
