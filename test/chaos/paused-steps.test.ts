import { describe, expect, it } from "vitest";
import { epochMs } from "../../local/testing/world/clock.ts";
import { type Strike, stepsToStrike, turns } from "./by-day.ts";
import { kept, keptOf } from "./scenarios/kept.ts";
import { unhurried } from "./seeds.ts";
import { judge, type Verdict } from "./world/judge.ts";
import { planPauses } from "./world/pause-desk.ts";
import { createWorld } from "./world/world.ts";

const messages = 10;

interface Run {
  readonly verdict: Verdict;
  readonly audited: number;
  /** What each edge asked for, e.g. `dynamodb.PutItem`. */
  readonly edges: readonly string[];
}

/**
 * Ten messages of two conversations: before, in and after a pause of a trigger, and then of the app. The consumer's process is
 * struck at one edge.
 */
async function run(strike?: Strike): Promise<Run> {
  const edges: string[] = [];
  const world = createWorld({
    seed: 1,
    enabledTriggers: "reply,audit",
    pollAfterMs: () => 30,
    strikeAt: (operation, process) => {
      if (operation === "sleep" || !process.name.startsWith("environment")) return "none";
      const number = edges.push(operation) - 1;
      return number === strike?.at ? strike.blow : "none";
    },
  });
  planPauses(world, [
    { target: { kind: "trigger", name: "reply" }, fromMs: 1_000, toMs: 9_000 },
    { target: { kind: "app" }, fromMs: 20_000, toMs: 28_000 },
  ]);
  const times = [0, 0, 3_000, 3_500, 8_900, 9_100, 22_000, 23_000, 27_900, 28_100];
  for (const [number, atMs] of times.entries()) {
    world.send({ id: `m${number}`, conversation: `g${number % 2}`, atMs });
  }
  await world.clock.run({ untilMs: epochMs + 30_000 });
  await world.run(6 * 3_600_000);
  world.close();
  return { verdict: judge(world), audited: world.diary.audited.size, edges };
}

describe("a process that is struck at one of its steps while something is paused", unhurried, () => {
  it("is not struck in this run, which answers all", async () => {
    const { verdict, audited, edges } = await run();

    expect(keptOf(verdict)).toEqual(kept);
    expect([verdict.answered, audited]).toEqual([messages, messages]);
    expect(edges).toContain("sqs.SendMessageBatch");
  });

  it.each(turns)("breaks no promise, whichever step it is: $blow", async ({ turn, blow }) => {
    const { edges } = await run();
    const broken: string[] = [];
    for (const at of stepsToStrike(edges.length, turn, 8)) {
      const { verdict, audited } = await run({ at, blow });
      const isKept = Object.values(keptOf(verdict)).every((breaches) => breaches.length === 0);
      if (!isKept || verdict.answered !== messages || audited !== messages) {
        broken.push(`${at} ${edges[at]} ${verdict.answered} ${audited} ${JSON.stringify(keptOf(verdict))}`);
      }
    }

    expect(broken).toEqual([]);
  });
});
