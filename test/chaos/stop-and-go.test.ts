import { describe, expect, it } from "vitest";
import { epochMs } from "../../local/testing/simulated/clock.ts";
import { isNight } from "../helpers/by-day.ts";
import { kept } from "./scenarios/kept.ts";
import { unhurried } from "./seeds.ts";
import { answerTimes, judge } from "./world/judge.ts";
import type { PausePlan } from "./world/pause-desk.ts";
import { answer, hour, inTurn, minute, type PlayOptions, platformDuring, play, upTo } from "./world/play.ts";
import type { World } from "./world/world.ts";

const app = { kind: "app" } as const;
const reply = { kind: "trigger", name: "reply" } as const;
const every = { conversations: 50, everyMs: 30_000 };

/** Answers within a span, in milliseconds since the start. */
function answersBetween(world: World, fromMs: number, toMs: number): number {
  return [...answerTimes(world).values()].filter((atMs) => atMs > fromMs && atMs < toMs).length;
}

/** Runs messages around a pause, until all are handled. */
function playPause(plan: PausePlan, messages = 200, options: Partial<PlayOptions> = {}) {
  const untilMs = plan.toMs ?? plan.untilMs ?? 0;
  return play({
    pauses: [plan],
    untilMs,
    hours: 60,
    facts: inTurn({ ...every, messages }),
    ...options,
  });
}

describe("an app that is paused", unhurried, () => {
  it("causes no effects, and answers all within half a minute after its pause ends by itself", async () => {
    const { world, verdict } = await playPause({ target: app, fromMs: 10 * minute, untilMs: 2 * hour });

    expect(verdict).toMatchObject({ ...kept, answered: 200 });
    expect(answersBetween(world, 10 * minute + 10_000, 2 * hour)).toBe(0);
    expect(Math.max(...answerTimes(world).values())).toBeLessThan(2 * hour + 30_000);
  });

  it.runIf(isNight)(
    "does not use up the maximum wait: nothing is dead-lettered in an outage of an hour after 30 h",
    async () => {
      const receptionOf = platformDuring(30 * hour, 31 * hour, answer(503));
      const plan = { target: app, fromMs: 10 * minute, toMs: 30 * hour };
      const { verdict } = await playPause(plan, 100, { receptionOf });

      expect(verdict).toMatchObject({ ...kept, answered: 100 });
    },
  );

  it("does not stop another app", async () => {
    const { world, verdict } = await playPause({ target: app, fromMs: minute, toMs: hour }, 0, {
      appIds: ["app-1", "app-2"],
      facts: upTo(100, (n) => ({
        id: `m${n}`,
        appId: `app-${1 + (n % 2)}`,
        conversation: `g${n % 10}`,
        atMs: n * 20_000,
      })),
    });

    expect(verdict).toMatchObject(kept);
    expect(judge(world, (id) => Number(id.slice(1)) % 2 === 1).latenciesMs.at(-1)).toBeLessThan(1_000);
  });
});

describe("a trigger that is paused", unhurried, () => {
  it("lets the others handle the same events, and catches up in order", async () => {
    const plan = { target: reply, fromMs: 10 * minute, toMs: 2 * hour };
    const { world, verdict } = await playPause(plan, 300, { enabledTriggers: "reply,audit" });

    expect(verdict).toMatchObject({ ...kept, answered: 300 });
    const audits = [...world.diary.audited.values()];
    expect(audits.filter(([atMs = 0]) => atMs < epochMs + 2 * hour)).toHaveLength(240);
    expect(audits.filter((times) => times.length > 1)).toEqual([]);
    expect(answersBetween(world, 10 * minute + 10_000, 2 * hour)).toBe(0);
  });
});
