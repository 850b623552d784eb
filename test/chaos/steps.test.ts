import { describe, expect, it } from "vitest";
import { firstByDay, type Strike, stepsToStrike, turns } from "./by-day.ts";
import { kept, keptOf } from "./scenarios/kept.ts";
import { stepsOfConsumer } from "./scenarios/steps.ts";
import { unhurried } from "./seeds.ts";
import { judge, type Verdict } from "./world/judge.ts";
import { createWorld } from "./world/world.ts";

interface Run {
  readonly verdict: Verdict;
  /** What each edge asked for, e.g. `dynamodb.PutItem`. */
  readonly edges: readonly string[];
}

/**
 * Four messages of two conversations, of which one's first send is unclear and the other's refused: the main path,
 * parking, tickets and looks. Then two in one batch, one of them slow, and
 * after three minutes, when whatever stood still goes on, one more of each conversation. The consumer's processes are struck at the given edges.
 */
async function run(strikes: readonly Strike[]): Promise<Run> {
  const edges: string[] = [];
  const failed = new Set<string>();
  const world = createWorld({
    seed: 1,
    pollAfterMs: () => 30,
    receptionOf: ({ method, receiver }) => {
      if (receiver === "quick") return { kind: "well" };
      if (receiver === "slow") return { kind: "well", ms: 1_500 };
      if (method === "GET" || failed.has(receiver)) return { kind: "well" };
      failed.add(receiver);
      return receiver === "g0" ? { kind: "answer lost" } : { kind: "answer", status: 429, retryAfter: "40" };
    },
    strikeAt: (operation, process) => {
      if (operation === "sleep" || !process.name.startsWith("environment")) return "none";
      const number = edges.push(operation) - 1;
      return strikes.find(({ at }) => at === number)?.blow ?? "none";
    },
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
  await world.run(6 * 3_600_000);
  world.close();
  return { verdict: judge(world), edges };
}

describe("a process that is struck at one of its steps", unhurried, () => {
  it("is not struck in this run, which shows the steps there are", async () => {
    const { verdict, edges } = await run([]);

    expect(keptOf(verdict)).toEqual(kept);
    expect(verdict.answered).toBe(8);
    expect(new Set(edges)).toEqual(new Set(stepsOfConsumer));
  });

  it.each(turns)("breaks no promise, whichever step it is: $blow", async ({ blow, turn }) => {
    const { edges } = await run([]);
    const broken: string[] = [];
    for (const at of stepsToStrike(edges.length, turn)) {
      const { verdict } = await run([{ at, blow }]);
      if (verdict.answered !== 8 || !isKept(verdict))
        broken.push(`${at} ${edges[at]} ${describeBreach(verdict)}`);
    }

    expect(broken).toEqual([]);
  });

  it.each(firstByDay([...turns].reverse()))(
    "breaks no promise when a later one is struck too: $blow",
    async ({ blow }) => {
      const { edges } = await run([]);
      const broken: string[] = [];
      for (const at of stepsToStrike(edges.length, 0, 3)) {
        const { verdict } = await run([
          { at, blow: "killed after" },
          { at: at + 5, blow },
        ]);
        if (verdict.answered !== 8 || !isKept(verdict)) broken.push(`${at} ${describeBreach(verdict)}`);
      }

      expect(broken).toEqual([]);
    },
  );
});

function isKept(verdict: Verdict): boolean {
  return Object.values(keptOf(verdict)).every((breaches) => breaches.length === 0);
}

function describeBreach(verdict: Verdict): string {
  return JSON.stringify({ answered: verdict.answered, ...keptOf(verdict) });
}
