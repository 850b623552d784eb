import { describe, expect, it } from "vitest";
import { epochMs } from "../../local/testing/world/clock.ts";
import { isNight } from "./by-day.ts";
import { kept, keptOf } from "./scenarios/kept.ts";
import { runStopAndGo } from "./scenarios/stop-and-go.ts";
import { newSeed, seeds, unhurried } from "./seeds.ts";
import { answerTimes, judge } from "./world/judge.ts";
import { type PausePlan, planPauses } from "./world/pause-desk.ts";
import { createWorld, type World, type WorldOptions } from "./world/world.ts";

const minute = 60_000;
const hour = 60 * minute;
const app = { kind: "app" } as const;
const reply = { kind: "trigger", name: "reply" } as const;

/** Answers that were given within a span, in milliseconds since the world began. */
function answersBetween(world: World, fromMs: number, toMs: number): number {
  return [...answerTimes(world).values()].filter((atMs) => atMs > fromMs && atMs < toMs).length;
}

function worldWith(plans: readonly PausePlan[], options: WorldOptions, messages: number): World {
  const world = createWorld(options);
  planPauses(world, plans);
  for (let number = 0; number < messages; number += 1) {
    world.send({ id: `m${number}`, conversation: `g${number % 50}`, atMs: number * 10_000 });
  }
  return world;
}

describe("an app that is paused", unhurried, () => {
  it.each(seeds())(
    "acts no more within ten seconds, and answers all within half a minute afterwards (seed %i)",
    async (seed) => {
      const world = worldWith([{ target: app, fromMs: 10 * minute, toMs: 2 * hour }], { seed }, 600);
      await world.clock.run({ untilMs: epochMs + 2 * hour });
      await world.run(5 * hour);
      world.close();

      const verdict = judge(world);
      expect(keptOf(verdict)).toEqual(kept);
      expect(verdict.answered).toBe(600);
      expect(answersBetween(world, 10 * minute + 10_000, 2 * hour)).toBe(0);
      expect(Math.max(...answerTimes(world).values())).toBeLessThan(2 * hour + 30_000);
    },
  );

  it("goes on by itself at its pause's end, where nobody ever comes back", async () => {
    const seed = newSeed();
    const plans = [{ target: app, fromMs: 10 * minute, untilMs: hour }];
    const world = worldWith(plans, { seed }, 200);
    await world.clock.run({ untilMs: epochMs + hour });
    await world.run(5 * hour);
    world.close();

    expect(keptOf(judge(world)), `seed ${seed}`).toEqual(kept);
    expect(answersBetween(world, 10 * minute + 10_000, hour)).toBe(0);
    expect(Math.max(...answerTimes(world).values())).toBeLessThan(hour + 30_000);
  });

  it.runIf(isNight)(
    "loses no patience: nothing is buried when the platform is out for an hour after 30 h",
    async () => {
      const seed = newSeed();
      const ends = 30 * hour;
      const isOut = (nowMs: number) => nowMs > epochMs + ends && nowMs < epochMs + ends + hour;
      const receptionOf: WorldOptions["receptionOf"] = (_, nowMs) =>
        isOut(nowMs) ? { kind: "answer", status: 503 } : { kind: "well" };
      const plans = [{ target: app, fromMs: 10 * minute, toMs: ends }];
      const world = worldWith(plans, { seed, receptionOf }, 100);
      await world.clock.run({ untilMs: epochMs + ends });
      await world.run(60 * hour);
      world.close();

      expect(keptOf(judge(world)), `seed ${seed}`).toEqual(kept);
      expect(judge(world).answered).toBe(100);
    },
  );

  it("stops nothing of another app", async () => {
    const seed = newSeed();
    const world = createWorld({ seed, appIds: ["app-1", "app-2"] });
    planPauses(world, [{ target: app, fromMs: minute, toMs: hour }]);
    for (let number = 0; number < 100; number += 1) {
      const appId = `app-${1 + (number % 2)}`;
      world.send({ id: `m${number}`, appId, conversation: `g${number % 10}`, atMs: number * 20_000 });
    }
    await world.clock.run({ untilMs: epochMs + hour });
    await world.run(5 * hour);
    world.close();

    const others = judge(world, (id) => Number(id.slice(1)) % 2 === 1);
    expect(keptOf(judge(world)), `seed ${seed}`).toEqual(kept);
    expect(others.latenciesMs.at(-1)).toBeLessThan(1_000);
  });
});

describe("a trigger that is paused", unhurried, () => {
  it.each(seeds())(
    "lets the others go on with the same events, and catches up in order (seed %i)",
    async (seed) => {
      const options = { seed, enabledTriggers: "reply,audit" };
      const plans = [{ target: reply, fromMs: 10 * minute, toMs: 2 * hour }];
      const world = worldWith(plans, options, 900);
      await world.clock.run({ untilMs: epochMs + 2 * hour });
      const audited = world.diary.audited.size;
      await world.run(5 * hour);
      world.close();

      expect(keptOf(judge(world))).toEqual(kept);
      expect(judge(world).answered).toBe(900);
      expect(audited).toBe(720);
      expect([...world.diary.audited.values()].filter((times) => times.length > 1)).toEqual([]);
      expect(answersBetween(world, 10 * minute + 10_000, 2 * hour)).toBe(0);
    },
  );
});

describe("pauses that come and go while processes die and answers get lost", unhurried, () => {
  it.each(seeds())("lose nothing, double nothing and keep the order (seed %i)", async (seed) => {
    const { verdict, audited } = await runStopAndGo({ seed, messages: 300, conversations: 30, minutes: 40 });

    expect(keptOf(verdict)).toEqual(kept);
    expect(audited).toBe(verdict.answered);
  });
});
