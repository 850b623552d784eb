import { describe, expect, it } from "vitest";
import { deadLetters } from "../../lib/queue/dead-letter.ts";
import { epochMs } from "../../local/testing/world/clock.ts";
import { between } from "../../local/testing/world/random.ts";
import { isNight } from "./by-day.ts";
import { kept, keptOf } from "./scenarios/kept.ts";
import { seeds, unhurried } from "./seeds.ts";
import type { Reception } from "./world/chat-platform.ts";
import { answerTimes, judge } from "./world/judge.ts";
import { createWorld, type World, type WorldOptions } from "./world/world.ts";

const hour = 3_600_000;
const mendedAt = 9 * hour;
const events = 24; // more than two calls of the queue hand out

/** An app's platform is out for longer than 24 events of four conversations wait, an hour each: all are dead-lettered. */
async function createBuried(
  options: Omit<WorldOptions, "receptionOf">,
  outage: (method: string) => Reception,
): Promise<World> {
  const world = createWorld({
    ...options,
    settings: { PATIENCE_HOURS: "1" },
    receptionOf: ({ method }, nowMs) => (nowMs < epochMs + mendedAt ? outage(method) : { kind: "well" }),
  });
  for (let number = 0; number < events; number += 1) {
    world.send({ id: `m${number}`, conversation: `g${number % 4}`, atMs: number * 30_000 });
  }
  await world.run(mendedAt);
  await waitUntil(world, epochMs + mendedAt);
  expect(judge(world).dead).toHaveLength(events);
  return world;
}

/** A clock stands still where nothing is planned. */
async function waitUntil({ clock }: World, ms: number): Promise<void> {
  clock.at(ms, () => {});
  await clock.run({ untilMs: ms });
}

/** Replays until nothing is left, as an operator does whose runs end too early. Gives how many runs it took. */
async function replayAll(world: World): Promise<number> {
  for (let runs = 1; ; runs += 1) {
    const report = await world.operate((services) => deadLetters.replay({}, services));
    if (report !== undefined && report.unseen === 0 && report.replayable === report.replayed) return runs;
    await waitUntil(world, world.clock.now() + hour / 2);
  }
}

describe("events that were buried because an outage did not end", unhurried, () => {
  it.runIf(isNight).each(seeds())(
    "are all answered once and in order when they are replayed (seed %i)",
    async (seed) => {
      const world = await createBuried({ seed }, () => ({ kind: "answer", status: 503 }));
      const rehearsal = await world.operate((services) => deadLetters.replay({ rehearse: true }, services));

      const runs = await replayAll(world);

      await world.run(90 * hour);
      world.close();
      const verdict = judge(world);
      expect(rehearsal).toMatchObject({ replayable: events, tooOld: 0, unseen: 0, replayed: 0 });
      expect(rehearsal?.byReason).toEqual({ patience: events });
      expect(runs).toBe(1);
      expect(keptOf(verdict)).toEqual(kept);
      expect(verdict.answered).toBe(events);
    },
  );

  it.each(seeds())(
    "are not answered a second time where the answers had left, and nobody could look (seed %i)",
    async (seed) => {
      const world = await createBuried({ seed, listLagMs: 5_000 }, (method) =>
        method === "GET" ? { kind: "answer", status: 503 } : { kind: "carried out late" },
      );
      const answeredBefore = answerTimes(world);

      await replayAll(world);

      await world.run(90 * hour);
      world.close();
      const verdict = judge(world);
      expect(answeredBefore.size).toBeGreaterThan(0);
      // Whatever was answered while its elders were given up came before them.
      expect(keptOf({ ...verdict, outOfOrder: [] })).toEqual(kept);
      expect(judge(world, (id) => !answeredBefore.has(id)).outOfOrder).toEqual([]);
      expect(verdict.answered).toBe(events);
    },
  );

  it.each(seeds())(
    "are neither lost nor doubled by an operator whose process dies again and again (seed %i)",
    async (seed) => {
      const steps = new Map<string, number>();
      const world = await createBuried(
        {
          seed,
          strikeAt: (operation, { name }, random) => {
            if (operation === "sleep" || !name.startsWith("operator")) return "none";
            const left = (steps.get(name) ?? between(random, 1, 2 * events)) - 1;
            steps.set(name, left);
            if (left > 0 || steps.size > 5) return "none";
            return random() < 0.5 ? "killed before" : "killed after";
          },
        },
        () => ({ kind: "silence" }),
      );

      const runs = await replayAll(world);

      await world.run(120 * hour);
      world.close();
      const verdict = judge(world);
      expect(runs).toBeGreaterThan(1);
      expect(keptOf(verdict)).toEqual(kept);
      expect(verdict.answered).toBe(events);
    },
  );

  it.each(seeds())(
    "keep their order among themselves when the conversation has gone on (seed %i)",
    async (seed) => {
      const world = await createBuried({ seed }, () => ({ kind: "silence" }));
      for (let number = 0; number < 4; number += 1) {
        world.send({ id: `new-${number}`, conversation: `g${number}`, atMs: mendedAt + 1_000 });
      }
      await world.run(mendedAt + hour);

      await replayAll(world);

      await world.run(90 * hour);
      world.close();
      const old = judge(world, (id) => !id.startsWith("new"));
      expect(keptOf(old)).toEqual(kept);
      expect(old.answered).toBe(events);
      expect(judge(world, (id) => id.startsWith("new")).answered).toBe(4);
    },
  );
});
