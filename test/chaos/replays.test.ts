import { describe, expect, it } from "vitest";
import { kept } from "./scenarios/kept.ts";
import { seed, unhurried } from "./seeds.ts";
import { type Strike, stepsToStrike, turns } from "./strikes.ts";
import { judge, type Verdict } from "./world/judge.ts";
import { createWorld, type World } from "./world/world.ts";

const hour = 3_600_000;

const events = 8;

/**
 * Eight events of four conversations that faulty handlers failed on; those of two conversations were answered
 * first. All were dead-lettered; then the handlers were fixed. Also returns the number of steps of the
 * operator's first process.
 */
async function createBuried(strike?: Strike) {
  let steps = 0;
  const world = createWorld({
    seed,
    listLagMs: 5_000,
    strikeAt: (operation, process) => {
      if (operation === "sleep" || process.name !== "operator-1") return "none";
      steps += 1;
      return strike?.at === steps - 1 ? strike.blow : "none";
    },
  });
  for (let number = 0; number < events; number += 1) {
    const text = number % 2 === 0 ? "answer, then throw" : "throw until mended";
    world.send({ id: `m${number}`, conversation: `g${number % 4}`, atMs: number * 20_000, text });
  }
  await world.run(6 * hour);
  expect(judge(world).dead).toHaveLength(events);
  world.diary.isMended = true;
  return { world, stepsTaken: () => steps };
}

async function finish(world: World): Promise<Verdict> {
  await world.run(80 * hour);
  world.close();
  return judge(world);
}

describe("dead letters", unhurried, () => {
  it("are dead-lettered again if nothing was fixed, and can be replayed again", async () => {
    const { world } = await createBuried();
    world.diary.isMended = false;
    await world.replay();
    await world.run(20 * hour);
    expect(judge(world).dead).toHaveLength(events);

    world.diary.isMended = true;
    const rehearsal = await world.replay({ rehearse: true });
    const report = await world.replay();
    const verdict = await finish(world);
    expect(rehearsal).toMatchObject({ selected: events, replayable: events, replayed: 0 });
    expect(report).toMatchObject({ replayed: events, failure: undefined });
    expect(verdict).toMatchObject({ ...kept, answered: events });
  });

  it.each(turns)(
    "are neither lost nor duplicated by a replay that ends midway, at any step: $blow",
    async ({ blow, turn }) => {
      const smooth = await createBuried();
      await smooth.world.replay();
      await finish(smooth.world);
      expect(smooth.stepsTaken()).toBeGreaterThan(2 * events);

      const broken: string[] = [];
      for (const at of stepsToStrike(smooth.stepsTaken(), turn, 8)) {
        const { world } = await createBuried({ at, blow });
        await world.replay();
        // Four minutes later the operator starts it again: the first one's messages are visible by then.
        await world.clock.run({ untilMs: world.clock.now() + 240_000 });
        await world.replay();
        const { lost, doubled, dead, stranded, answered } = await finish(world);
        if (answered !== events || [lost, doubled, dead, stranded].some(({ length }) => length > 0)) {
          broken.push(`${at}: ${JSON.stringify({ lost, doubled, dead, stranded, answered })}`);
        }
      }

      expect(broken).toEqual([]);
    },
  );
});
