import { describe, expect, it } from "vitest";
import { epochMs } from "../../local/testing/world/clock.ts";
import { firstByDay, type Strike, stepsToStrike, turns } from "./by-day.ts";
import { kept, keptOf } from "./scenarios/kept.ts";
import { outages, runOutage } from "./scenarios/outage.ts";
import { newSeed, unhurried } from "./seeds.ts";
import { judge, type Verdict } from "./world/judge.ts";
import { createWorld } from "./world/world.ts";

const minute = 60_000;

describe("conversations that wait for a destination", unhurried, () => {
  const kinds = [2, 50].flatMap((concurrency) =>
    [50, 4].flatMap((conversations) =>
      (["silence", "answers 503"] as const).map((name) => ({ name, concurrency, conversations })),
    ),
  );

  it.each(firstByDay(kinds))(
    "are all woken by the first success: $conversations after 2 h, $name, concurrency $concurrency",
    async ({ name, concurrency, conversations }) => {
      const figures = await runOutage({
        ...{ seed: newSeed(), outage: outages[name], minutes: 120, eventsPerSecond: 0.1 },
        ...{ conversations, concurrency },
      });

      expect(keptOf(figures)).toEqual(kept);
      expect(figures.answered).toBe(840);
      expect(figures.drainedMinutes).toBeLessThan(2);
      // One probe in 30 s are 240; what is beyond belongs to the first minute.
      expect(figures.requests).toBeLessThan(400);
    },
  );

  it("are woken where one trigger reads and another one writes at the host that is out", async () => {
    const figures = await runOutage({
      ...{ seed: newSeed(), outage: outages["429 without an end"], minutes: 60, eventsPerSecond: 0.1 },
      ...{ conversations: 20, enabledTriggers: "look,reply" },
    });

    expect(keptOf(figures)).toEqual(kept);
    expect(figures.drainedMinutes).toBeLessThan(2);
  });
});

/** Messages of seven conversations; the platform is out from 1 s to 100 s. The consumer's process is struck at one edge. */
async function run(strike?: Strike): Promise<{
  readonly verdict: Verdict;
  readonly edges: readonly string[];
}> {
  const edges: string[] = [];
  const world = createWorld({
    seed: 1,
    pollAfterMs: () => 30,
    receptionOf: (_request, nowMs) =>
      nowMs > epochMs + 1_000 && nowMs < epochMs + 100_000
        ? { kind: "answer", status: 503 }
        : { kind: "well" },
    strikeAt: (operation, { name }) => {
      if (operation === "sleep" || !name.startsWith("environment")) return "none";
      const number = edges.push(operation) - 1;
      return number === strike?.at ? strike.blow : "none";
    },
  });
  for (let number = 0; number < 14; number += 1) {
    world.send({ id: `m${number}`, conversation: `g${number % 7}`, atMs: 2_000 + number * 500 });
  }
  world.send({ id: "last", conversation: "g0", atMs: 20 * minute });
  await world.run(6 * 60 * minute);
  world.close();
  return { verdict: judge(world), edges };
}

describe(
  "a process that is struck at one of its steps while conversations wait for a destination",
  unhurried,
  () => {
    it("is not struck in this run, which answers all", async () => {
      const { verdict, edges } = await run();

      expect(keptOf(verdict)).toEqual(kept);
      expect(verdict.answered).toBe(15);
      expect(edges).toContain("sqs.SendMessageBatch");
    });

    it.each(turns)("breaks no promise, whichever step it is: $blow", async ({ blow, turn }) => {
      const { edges } = await run();
      const broken: string[] = [];
      for (const at of stepsToStrike(edges.length, turn, 60)) {
        const { verdict } = await run({ at, blow });
        const isKept = Object.values(keptOf(verdict)).every((breaches) => breaches.length === 0);
        const last = verdict.latenciesMs.at(-1) ?? 0;
        if (!isKept || verdict.answered !== 15 || last > 10 * minute)
          broken.push(`${at} ${edges[at]} ${verdict.answered} ${last} ${JSON.stringify(keptOf(verdict))}`);
      }

      expect(broken).toEqual([]);
    });
  },
);
