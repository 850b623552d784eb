import { describe, expect, it } from "vitest";
import { epochMs } from "../../local/testing/simulated/clock.ts";
import { isNight } from "../helpers/by-day.ts";
import { kept } from "./scenarios/kept.ts";
import { seed, unhurried } from "./seeds.ts";
import type { Reception } from "./world/chat-platform.ts";
import { answerTimes, judge } from "./world/judge.ts";
import { answer, hour, inTurn, isWithin, well } from "./world/play.ts";
import { createWorld, type World, type WorldOptions } from "./world/world.ts";

const patienceHours = isNight ? 1 : 0.25;
const mendedAt = 9 * patienceHours * hour;
const events = 24; // more than two calls of the queue return

/** An app's platform is out until all 24 events of four conversations are dead-lettered. */
async function createBuried(
  outage: (method: string) => Reception,
  options: Partial<WorldOptions> = {},
): Promise<World> {
  const world = createWorld({
    seed,
    ...options,
    settings: { PATIENCE_HOURS: String(patienceHours) },
    receptionOf: ({ method }, nowMs) => (isWithin(nowMs, 0, mendedAt) ? outage(method) : well),
  });
  for (const fact of inTurn({ messages: events, conversations: 4, everyMs: 5_000 })) world.send(fact);
  await world.run(mendedAt);
  await waitUntil(world, epochMs + mendedAt);
  expect(judge(world).dead).toHaveLength(events);
  return world;
}

/** A clock without timers stands still. */
async function waitUntil({ clock }: World, ms: number): Promise<void> {
  clock.at(ms, () => {});
  await clock.run({ untilMs: ms });
}

/** Replays until nothing is left, as an operator whose runs end early. Returns the number of runs. */
async function replayAll(world: World): Promise<number> {
  for (let runs = 1; ; runs += 1) {
    const report = await world.replay();
    if (report !== undefined && report.unseen === 0 && report.replayable === report.replayed) {
      await world.run(120 * hour);
      world.close();
      return runs;
    }
    await waitUntil(world, world.clock.now() + hour / 2);
  }
}

describe("events that were dead-lettered in a long outage", unhurried, () => {
  it("are not answered again if the replies were sent, but could not be looked up", async () => {
    const outage = (method: string): Reception =>
      method === "GET" ? answer(503) : { kind: "carried out late" };
    const world = await createBuried(outage, { listLagMs: 5_000 });
    const answeredBefore = answerTimes(world);

    await replayAll(world);

    expect(answeredBefore.size).toBeGreaterThan(0);
    // An answer before an earlier event's dead-lettering came before that event's.
    expect({ ...judge(world), outOfOrder: [] }).toMatchObject({ ...kept, answered: events });
    expect(judge(world, (id) => !answeredBefore.has(id)).outOfOrder).toEqual([]);
  });

  it.runIf(isNight)("keep their order if the conversation has continued", async () => {
    const world = await createBuried(() => ({ kind: "silence" }));
    for (let number = 0; number < 4; number += 1) {
      world.send({ id: `new-${number}`, conversation: `g${number}`, atMs: mendedAt + 1_000 });
    }
    await world.run(mendedAt + hour);

    await replayAll(world);

    expect(judge(world, (id) => !id.startsWith("new"))).toMatchObject({ ...kept, answered: events });
    expect(judge(world, (id) => id.startsWith("new")).answered).toBe(4);
  });
});
