import { describe, expect, it } from "vitest";
import { epochMs } from "../../local/testing/simulated/clock.ts";
import { runIsolation, spreadOf } from "../chaos/scenarios/isolation.ts";
import { kept, keptOf, playKept } from "../chaos/scenarios/kept.ts";
import { runNeighbours } from "../chaos/scenarios/neighbours.ts";
import { outages, runOutage } from "../chaos/scenarios/outage.ts";
import { runPoison } from "../chaos/scenarios/poison.ts";
import { profiles, runStorm } from "../chaos/scenarios/storm.ts";
import { seed } from "../chaos/seeds.ts";
import { playStruck, struckRun, turns } from "../chaos/strikes.ts";
import { poisons } from "../chaos/world/handlers.ts";
import { answerTimes, judge } from "../chaos/world/judge.ts";
import {
  answer,
  hour,
  inTurn,
  minute,
  type PlayOptions,
  platformDuring,
  play as playSeed,
  upTo,
  well,
} from "../chaos/world/play.ts";
import { createWorld } from "../chaos/world/world.ts";

// One short scenario in virtual time for each promise of docs/internals/guarantees.md. The rest: test/chaos.
const play = (options: PlayOptions) => playSeed({ seed: 1, ...options });

describe("a storm of faults", () => {
  it("loses, duplicates and reorders nothing: 150 messages of 40 conversations", async () => {
    const profile = profiles["everything at once"];
    const figures = await runStorm({ seed: 1, profile, messages: 150, conversations: 40 });

    expect(keptOf(figures)).toEqual(kept);
    expect(figures.answered + figures.refused.length).toBe(150);
  });

  it("dead-letters nothing in a partial outage of the platform, which fails half of the requests", async () => {
    const profile = profiles["a platform in a brown-out"];
    const figures = await runStorm({ seed: 1, profile, messages: 50, conversations: 15 });

    expect(keptOf(figures)).toEqual(kept);
    expect(figures.answered).toBe(50);
  });
});

describe("an outage of the queue", () => {
  it("is answered with no 200, so that the platform delivers again", async () => {
    const { verdict } = await playKept({
      answered: 10,
      facts: inTurn({ messages: 10, conversations: 10, everyMs: 1_000 }),
      fateOf: (operation, _, nowMs) =>
        operation.startsWith("sqs.") && nowMs < epochMs + 20_000 ? "failed" : "answered",
    });

    expect(verdict.refused).toEqual([]);
  });
});

describe("a process that crashes or stands still", () => {
  /** Runs one message whose reply meets a lost answer. */
  const run = struckRun(() => {
    let isAnswerLost = false;
    return {
      facts: [{ id: "m", conversation: "g", atMs: 0 }],
      receptionOf: ({ method }) => {
        if (method !== "POST" || isAnswerLost) return well;
        isAnswerLost = true;
        return { kind: "answer lost" };
      },
    };
  }, 1);

  it.each(turns)("sends each reply once, whichever step is struck: $blow", async ({ blow, turn }) => {
    expect((await run([])).edges.length).toBeGreaterThan(10);
    expect(await playStruck(run, (at) => [{ at, blow }], { turn, every: 2 })).toEqual([]);
  });
});

describe("a failing conversation", () => {
  it("delays no other conversation", async () => {
    const { world, verdict } = await play({
      facts: inTurn({ messages: 30, conversations: 10, everyMs: 1_000 }),
      settings: { PATIENCE_HOURS: "0.25" },
      receptionOf: ({ receiver }) => (receiver === "g7" ? answer(500) : well),
    });

    const others = judge(world, (id) => Number(id.slice(1)) % 10 !== 7);
    expect(keptOf(others)).toEqual(kept);
    expect(others.latenciesMs.at(-1)).toBeLessThan(1_000);
    expect(verdict.lost).toEqual([]);
  });

  it("is handled in parallel with the others of its batch", async () => {
    const facts = inTurn({ messages: 10, conversations: 10, everyMs: 0 });
    const { latenciesMs } = (await play({ facts })).verdict;

    expect(latenciesMs).toHaveLength(10);
    expect(latenciesMs.at(-1)).toBeLessThan(1.5 * (latenciesMs[0] ?? 0));
  });

  it("keeps its order if its first message fails and the others of the batch would succeed", async () => {
    await playKept({
      answered: 5,
      facts: upTo(5, (n) => ({ id: `m${n}`, conversation: "g", atMs: n < 3 ? 0 : n * 2_000 })),
      receptionOf: ({ text }, nowMs) => (text === "re: m0" && nowMs < epochMs + minute ? answer(500) : well),
    });
  });
});

describe("a trigger that waits", () => {
  it("delays no other trigger of its conversations while its source is out for 30 min", async () => {
    const outage = outages["answers 503"];
    const figures = await runIsolation({
      seed: 1,
      concurrency: 2,
      hours: 0.5,
      outage,
      messages: 120,
      groups: 10,
    });

    expect(keptOf(figures.verdict)).toEqual(kept);
    expect(figures.ownOutOfOrder).toEqual([]);
    expect(figures.ownMs).toHaveLength(120);
    expect(spreadOf(figures.replyMs).most).toBeLessThan(1_100);
  });
});

describe("an event that no handler can handle", () => {
  it.each(poisons)(
    "is dead-lettered after five tries, and the nine others of its batch are answered: %s",
    async (poison) => {
      const figures = await runPoison(seed, poison);

      expect(figures.firstBatch).toBe(10);
      expect(figures.lost).toEqual([]);
      expect(figures.doubled).toEqual([]);
      expect(figures.answered).toBe(9);
      expect(figures.innocentsMinutes).toBeLessThanOrEqual(2);
      expect(figures.begun).toBe(5);
      expect(figures.dead).toMatchObject([{ factId: "poison", tries: 5 }]);
      expect(figures.stranded).toEqual([]);
    },
  );
});

describe("an outage of the platform", () => {
  it("costs time but no event: ten minutes of 503", async () => {
    const outage = outages["answers 503"];
    const figures = await runOutage({
      seed: 1,
      outage,
      minutes: 10,
      eventsPerSecond: 0.1,
      conversations: 30,
    });

    expect(keptOf(figures)).toEqual(kept);
    expect(figures.drainedMinutes).toBeLessThanOrEqual(30);
    expect(figures.requests).toBeLessThanOrEqual(100);
  });

  it("dead-letters no single event without others to compare it with: 100 minutes without an answer", async () => {
    await playKept({
      answered: 1,
      facts: [{ id: "m", conversation: "g", atMs: 0 }],
      receptionOf: platformDuring(0, 100 * minute, outages.silence),
    });
  });

  it("of one app does not slow another app", async () => {
    const alone = await runNeighbours({ seed: 1, events: 0, hours: 0.1 });
    const beside = await runNeighbours({ seed: 1, events: 50, hours: 0.1 });

    expect(keptOf(beside.well)).toEqual(kept);
    expect(keptOf(beside.ill)).toEqual(kept);
    expect(beside.wellP50Ms / alone.wellP50Ms).toBeLessThan(1.1);
    expect(beside.drainedMinutes).toBeLessThanOrEqual(30);
  });

  it("of one app does not slow another app in the same batches", async () => {
    const appIds = ["ill", "well"];
    const { world } = await playKept({
      answered: 40,
      appIds,
      facts: upTo(20, (n) =>
        appIds.map((appId) => ({ id: `${appId}-${n}`, appId, conversation: `g${n}`, atMs: n * 10_000 })),
      ).flat(),
      receptionOf: ({ appId }, nowMs) =>
        appId === "ill" && nowMs < epochMs + hour / 6 ? outages.silence : well,
    });

    expect(judge(world, (id) => id.startsWith("well")).latenciesMs.at(-1)).toBeLessThan(1_000);
  });
});

describe("a permanent refusal by the platform", () => {
  it("is dead-lettered immediately with its cause, and the conversation continues", async () => {
    const { verdict } = await play({
      facts: inTurn({ messages: 100, conversations: 2, everyMs: 500 }),
      receptionOf: ({ receiver, method }) =>
        receiver === "g0" && method === "POST" ? answer(403, "ERR_GROUP_NOT_JOINED") : well,
    });

    const { answered, dead, lost, latenciesMs } = verdict;
    expect({ answered, dead: dead.length, lost }).toEqual({ answered: 50, dead: 50, lost: [] });
    // One busy conversation does not stop the dead-lettering.
    expect(Math.max(...dead.map(({ atMs }) => atMs))).toBeLessThan(60_000);
    expect(dead[0]).toMatchObject({
      reason: "permanent",
      cause: expect.stringContaining("ERR_GROUP_NOT_JOINED"),
    });
    expect(latenciesMs.at(-1)).toBeLessThan(1_000);
  });

  it("of many conversations is no longer dead-lettered after twenty in a minute", async () => {
    const { verdict } = await play({
      facts: inTurn({ messages: 60, conversations: 30, everyMs: 500 }),
      receptionOf: ({ method }, nowMs) =>
        method === "POST" && nowMs < epochMs + hour / 2 ? answer(400, "ERR_BAD_REQUEST") : well,
    });

    const { answered, dead, latenciesMs } = verdict;
    expect(dead.length).toBeLessThanOrEqual(20);
    expect(answered + dead.length).toBe(60);
    expect(latenciesMs.at(-1)).toBeLessThan(hour / 2 + minute);
  });
});

describe("a pause of an app", () => {
  it("stops every effect within ten seconds, and loses and reorders nothing", async () => {
    const { world, verdict } = await play({
      pauses: [{ target: { kind: "app" }, fromMs: minute, toMs: hour }],
      facts: inTurn({ messages: 100, conversations: 10, everyMs: 10_000 }),
      untilMs: hour + minute,
    });

    const times = [...answerTimes(world).values()];
    expect(times.filter((atMs) => atMs < hour).length).toBeLessThanOrEqual(7);
    expect(times.filter((atMs) => atMs < hour + minute)).toHaveLength(100);
    expect(verdict).toMatchObject({ ...kept, answered: 100 });
  });
});

describe("dead letters", () => {
  it("are handled once and in order by a replay", async () => {
    const world = createWorld({ seed: 1, listLagMs: 5_000 });
    for (const [number, fact] of inTurn({ messages: 8, conversations: 4, everyMs: 20_000 }).entries())
      world.send({ ...fact, text: number % 2 === 0 ? "answer, then throw" : "throw until mended" });
    await world.run(6 * hour);
    expect(judge(world).dead).toHaveLength(8);

    world.diary.isMended = true;
    await world.replay();
    await world.run(80 * hour);
    world.close();

    expect(keptOf(judge(world))).toEqual(kept);
    expect(judge(world).answered).toBe(8);
  });
});
