import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { sendText } from "../../lib/effects/messages/sending.ts";
import { defineFlow } from "../../lib/flows/define-flow.ts";
import { onTrigger } from "../../lib/handle/on-trigger.ts";
import { events } from "../../local/testing/events/events.ts";
import { runTrigger } from "../../local/testing/run-trigger.ts";
import { epochMs } from "../../local/testing/simulated/clock.ts";
import type { Blow } from "../../local/testing/simulated/process.ts";
import { runIsolation, spreadOf } from "../chaos/scenarios/isolation.ts";
import { kept, keptOf, playKept } from "../chaos/scenarios/kept.ts";
import { runNeighbours } from "../chaos/scenarios/neighbours.ts";
import { outages, runOutage } from "../chaos/scenarios/outage.ts";
import { runPoison } from "../chaos/scenarios/poison.ts";
import { profiles, runStorm } from "../chaos/scenarios/storm.ts";
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

// One short scenario in virtual time for each promise of docs/internals/guarantees.md. test/chaos plays the others.
const play = (options: PlayOptions) => playSeed({ seed: 1, ...options });

describe("a storm of faults", () => {
  it("loses, doubles and reorders nothing: 250 messages of 60 conversations", async () => {
    const profile = profiles["everything at once"];
    const figures = await runStorm({ seed: 1, profile, messages: 250, conversations: 60 });

    expect(keptOf(figures)).toEqual(kept);
    expect(figures.answered + figures.refused.length).toBe(250);
  });

  it("buries nothing in a brown-out of the platform, which fails half of the requests", async () => {
    const profile = profiles["a platform in a brown-out"];
    const figures = await runStorm({ seed: 1, profile, messages: 100, conversations: 30 });

    expect(keptOf(figures)).toEqual(kept);
    expect(figures.answered).toBe(100);
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

describe("a process that dies or stands still", () => {
  /** Plays one message whose reply meets a lost answer, with a process struck at one of its requests. */
  async function run(strike?: { readonly at: number; readonly blow: Blow }) {
    let steps = 0;
    let isAnswerLost = false;
    const { verdict } = await play({
      facts: [{ id: "m", conversation: "g", atMs: 0 }],
      receptionOf: ({ method }) => {
        if (method !== "POST" || isAnswerLost) return well;
        isAnswerLost = true;
        return { kind: "answer lost" };
      },
      strikeAt: (operation, process) => {
        if (operation === "sleep" || !process.name.startsWith("environment")) return "none";
        steps += 1;
        return strike?.at === steps ? strike.blow : "none";
      },
    });
    return { verdict, steps };
  }

  it.each(["killed before", "killed after", "frozen before", "frozen after"] as const)(
    "sends each reply once, whichever step it was: %s",
    async (blow) => {
      const { steps } = await run();
      const broken: string[] = [];
      for (let at = 1; at <= steps; at += 1) {
        const { verdict } = await run({ at, blow });
        const breaches = Object.values(keptOf(verdict)).flat();
        if (verdict.answered !== 1 || breaches.length > 0) broken.push(`${at}: ${JSON.stringify(breaches)}`);
      }

      expect(steps).toBeGreaterThan(10);
      expect(broken).toEqual([]);
    },
  );
});

describe("a conversation in trouble", () => {
  it("delays no other conversation", async () => {
    const { world, verdict } = await play({
      facts: inTurn({ messages: 30, conversations: 10, everyMs: 1_000 }),
      // Each event waits for an hour at most.
      settings: { PATIENCE_HOURS: "1" },
      receptionOf: ({ receiver }) => (receiver === "g7" ? answer(500) : well),
    });

    const others = judge(world, (id) => Number(id.slice(1)) % 10 !== 7);
    expect(keptOf(others)).toEqual(kept);
    expect(others.latenciesMs.at(-1)).toBeLessThan(1_000);
    expect(verdict.lost).toEqual([]);
  });

  it("is handled beside the others of its batch", async () => {
    const facts = inTurn({ messages: 10, conversations: 10, everyMs: 0 });
    const { latenciesMs } = (await play({ facts })).verdict;

    expect(latenciesMs).toHaveLength(10);
    expect(latenciesMs.at(-1)).toBeLessThan(1.5 * (latenciesMs[0] ?? 0));
  });

  it("keeps its order when its first message fails and the others of the batch would not", async () => {
    await playKept({
      answered: 5,
      facts: upTo(5, (n) => ({ id: `m${n}`, conversation: "g", atMs: n < 3 ? 0 : n * 2_000 })),
      receptionOf: ({ text }, nowMs) => (text === "re: m0" && nowMs < epochMs + minute ? answer(500) : well),
    });
  });
});

describe("a trigger that waits", () => {
  it("delays no other trigger of its conversations: what it reads is out for 30 min", async () => {
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

describe("a flow that starts after the event that it waits for", () => {
  it("is given that event: a reaction is received 10 s before its message", async () => {
    const approval = defineFlow(
      "approval",
      { input: z.object({ id: z.string() }), waitsFor: ["message_reaction_added"] },
      async (flow, { id }) => {
        const yes = await flow.waitFor("message_reaction_added", {
          where: { messageId: id },
          within: { minutes: 10 },
        });
        const text = yes === undefined ? "not approved" : `approved by ${yes.reaction.uid}`;
        await flow.do(
          "tell",
          sendText({ receiver: "bob", receiverType: "user", onBehalfOf: "support", text }),
        );
      },
    );
    const approve = onTrigger("message_sent", async ({ event, effects }) => {
      await effects.start(approval, { id: event.message.id });
    });

    const { sent } = await runTrigger(
      approve,
      events.messageReactionAdded({ messageId: "1001", uid: "bela", reaction: "👍" }),
      {
        flows: [approval],
        later: [{ after: "10s", event: events.messageSent({ id: "1001", sender: "ann" }) }],
      },
    );

    expect(sent.map(({ text }) => text)).toEqual(["approved by bela"]);
  });
});

describe("an event that nothing can handle", () => {
  it.each(poisons)(
    "is dead-lettered after five tries, and the nine of its batch are answered: %s",
    async (poison) => {
      const figures = await runPoison(1, poison);

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
  it("costs time and no event: ten minutes of 503", async () => {
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

  it("buries no lone event, with which nothing can be compared: two hours without an answer", async () => {
    await playKept({
      answered: 1,
      facts: [{ id: "m", conversation: "g", atMs: 0 }],
      receptionOf: platformDuring(0, 2 * hour, outages.silence),
    });
  });

  it("of one app does not slow another app", async () => {
    const alone = await runNeighbours({ seed: 1, events: 0, hours: 0.5 });
    const beside = await runNeighbours({ seed: 1, events: 50, hours: 0.5 });

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
        appId === "ill" && nowMs < epochMs + hour / 2 ? outages.silence : well,
    });

    expect(judge(world, (id) => id.startsWith("well")).latenciesMs.at(-1)).toBeLessThan(1_000);
  });
});

describe("a final refusal of the platform", () => {
  it("is dead-lettered at once with its cause, and the conversation goes on", async () => {
    const { verdict } = await play({
      facts: inTurn({ messages: 100, conversations: 2, everyMs: 500 }),
      receptionOf: ({ receiver, method }) =>
        receiver === "g0" && method === "POST" ? answer(403, "ERR_GROUP_NOT_JOINED") : well,
    });

    const { answered, dead, lost, latenciesMs } = verdict;
    expect({ answered, dead: dead.length, lost }).toEqual({ answered: 50, dead: 50, lost: [] });
    // A busy conversation alone does not stop the burying.
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

    const { answered, dead } = verdict;
    expect(dead.length).toBeLessThanOrEqual(20);
    expect(answered + dead.length).toBe(60);
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

  it("are neither lost nor doubled when the operator's process dies at any of its steps", async () => {
    const replayTwice = async (strikeAt: number) => {
      let steps = 0;
      const world = createWorld({
        seed: 1,
        strikeAt: (operation, { name }) => {
          if (operation === "sleep" || !name.startsWith("operator")) return "none";
          steps += 1;
          return steps === strikeAt ? "killed after" : "none";
        },
      });
      world.send({ id: "m", conversation: "g", atMs: 0, text: "throw until mended" });
      await world.run(6 * hour);
      world.diary.isMended = true;
      // The second begins when the queue gives back what the first held.
      for (const hours of [12, 80]) {
        await world.replay();
        await world.run(hours * hour);
      }
      world.close();
      return { verdict: judge(world), steps };
    };

    const { steps } = await replayTwice(Number.POSITIVE_INFINITY);
    const broken: number[] = [];
    for (let at = 1; at <= steps; at += 1) {
      const { verdict } = await replayTwice(at);
      if (verdict.answered !== 1 || Object.values(keptOf(verdict)).flat().length > 0) broken.push(at);
    }

    expect(steps).toBeGreaterThan(5);
    expect(broken).toEqual([]);
  });
});
