import { describe, expect, it } from "vitest";
import { groupByCause } from "../../lib/queue/cause-group.ts";
import { deadLetters } from "../../lib/queue/dead-letter.ts";
import { queueNames } from "../../local/testing/world/aws.ts";
import { epochMs } from "../../local/testing/world/clock.ts";
import { isNight } from "./by-day.ts";
import { kept, keptOf } from "./scenarios/kept.ts";
import { newSeed, unhurried } from "./seeds.ts";
import { judge, percentile } from "./world/judge.ts";
import { createWorld } from "./world/world.ts";

const hour = 3_600_000;
const day = 24 * hour;

describe("what the platform refuses for good", unhurried, () => {
  it.each([newSeed()])("in one group is buried at once and makes nothing late (seed %i)", async (seed) => {
    // Half a message a second for ten minutes, at night for thirty, all of them in the group that the answering user is no member of.
    const messages = isNight ? 900 : 300;
    let hasJoined = false;
    const world = createWorld({
      seed,
      enabledTriggers: "reply,audit",
      receptionOf: ({ receiver, method }) =>
        !hasJoined && receiver === "forbidden" && method === "POST"
          ? { kind: "answer", status: 403, code: "ERR_GROUP_NOT_JOINED" }
          : { kind: "well" },
    });
    for (let number = 0; number < messages; number += 1) {
      world.send({ id: `refused-${number}`, conversation: "forbidden", atMs: number * 2_000 });
      if (number % 3 === 0) world.send({ id: `other-${number}`, conversation: "g", atMs: number * 2_000 });
    }
    await world.run(48 * hour);

    const refused = judge(world, (id) => id.startsWith("refused-"));
    const { audited } = world.diary;
    const latencies = [...audited].map(([id, [atMs = Number.NaN]]) => atMs - (world.enqueued.get(id) ?? 0));
    expect(keptOf(judge(world, (id) => id.startsWith("other-")))).toEqual(kept);
    expect(refused.dead).toHaveLength(messages);
    expect(new Set(refused.dead.map(({ reason }) => reason))).toEqual(new Set(["permanent"]));
    expect(refused.dead[0]?.cause).toContain("ERR_GROUP_NOT_JOINED");
    // The group's other trigger did its work at every event, once, and in time.
    expect(audited.size).toBe((messages * 4) / 3);
    expect([...audited.values()].filter((times) => times.length > 1)).toEqual([]);
    expect(
      percentile(
        latencies.toSorted((one, other) => one - other),
        0.99,
      ),
    ).toBeLessThan(1_000);

    // An operator sees one line, and brings all of it back by its name.
    const listed = await world.operate((services) => deadLetters.list({}, services));
    const groups = groupByCause(listed?.found ?? []);
    expect(groups).toMatchObject([{ count: messages, appId: "app-1", trigger: "message_sent" }]);
    hasJoined = true;
    const selection = { cause: groups[0]?.name };
    const report = await world.operate((services) => deadLetters.replay({ selection }, services));
    await world.run(60 * hour);
    world.close();

    const answered = judge(world);
    expect(report).toMatchObject({ replayed: messages, failure: undefined });
    expect(keptOf(answered)).toEqual(kept);
    expect(answered.answered).toBe((messages * 4) / 3);
    expect([...audited.values()].filter((times) => times.length > 1)).toEqual([]);
  });

  it.runIf(isNight).each([newSeed()])(
    "in three groups in turns makes no other group late (seed %i)",
    async (seed) => {
      const world = createWorld({
        seed,
        receptionOf: ({ receiver, method }) =>
          receiver.startsWith("forbidden") && method === "POST"
            ? { kind: "answer", status: 403, code: "ERR_GROUP_NOT_JOINED" }
            : { kind: "well" },
      });
      for (let number = 0; number < 300; number += 1) {
        const atMs = number * 2_000;
        for (const group of [1, 2, 3]) {
          world.send({
            id: `refused-${group}-${number}`,
            conversation: `forbidden${group}`,
            atMs: atMs + group,
          });
        }
        if (number % 3 === 0)
          world.send({ id: `other-${number}`, conversation: `g${number % 20}`, atMs: atMs + 700 });
      }
      await world.run(60 * hour);
      world.close();

      const others = judge(world, (id) => id.startsWith("other-"));
      const refused = judge(world, (id) => id.startsWith("refused-"));
      expect(keptOf(others)).toEqual(kept);
      expect(percentile(others.latenciesMs, 0.99)).toBeLessThan(5_000);
      expect({ ...keptOf(refused), dead: [] }).toEqual(kept);
      expect(refused.dead).toHaveLength(900);
    },
  );

  it.each([newSeed()])(
    "in many groups stops the burying: something larger is wrong (seed %i)",
    async (seed) => {
      const isBroken = (nowMs: number) => nowMs < epochMs + 2 * hour;
      const world = createWorld({
        seed,
        receptionOf: ({ method }, nowMs) =>
          method === "POST" && isBroken(nowMs)
            ? { kind: "answer", status: 400, code: "ERR_BAD_REQUEST" }
            : { kind: "well" },
      });
      for (let number = 0; number < 300; number += 1) {
        world.send({ id: `m${number}`, conversation: `g${number % 60}`, atMs: number * 1_000 });
      }
      await world.run(48 * hour);
      world.close();

      const verdict = judge(world);
      expect(verdict.dead).toHaveLength(20);
      expect(verdict.answered).toBe(280);
      expect(keptOf(verdict)).toEqual({ ...kept, dead: verdict.dead });
      expect(verdict.latenciesMs.at(-1)).toBeLessThan(2 * hour + 30 * 60_000);
      expect(world.platform.requestsOf("app-1").filter(isBroken).length).toBeLessThan(400);
    },
  );

  it("is buried with its own cause, although the dead-letter queue is out for ten minutes", async () => {
    const world = createWorld({
      seed: newSeed(),
      receptionOf: ({ method }) =>
        method === "POST" ? { kind: "answer", status: 403, code: "ERR_GROUP_NOT_JOINED" } : { kind: "well" },
      fateOf: (operation, body, nowMs) =>
        operation === "sqs.SendMessage" && body.includes("dead-letters") && nowMs < epochMs + hour / 6
          ? "failed"
          : "answered",
    });
    for (let number = 0; number < 5; number += 1) {
      world.send({ id: `m${number}`, conversation: `g${number}`, atMs: number * 100 });
    }
    await world.run(48 * hour);
    world.close();

    const { dead, lost, stranded } = judge(world);
    expect({ lost, stranded }, `seed ${world.seed}`).toEqual({ lost: [], stranded: [] });
    expect(dead.map(({ reason }) => reason)).toEqual(Array.from({ length: 5 }, () => "permanent"));
    expect(dead[0]?.cause).toContain("ERR_GROUP_NOT_JOINED");
  });

  it.runIf(isNight)("in many groups for more than a day is buried when patience ends", async () => {
    const seed = newSeed();
    const world = createWorld({
      seed,
      receptionOf: () => ({ kind: "answer", status: 400, code: "ERR_BAD_REQUEST" }),
    });
    for (let number = 0; number < 60; number += 1) {
      world.send({ id: `m${number}`, conversation: `g${number % 20}`, atMs: number * 100 });
    }
    await world.run(48 * hour);
    world.close();

    const { dead, lost, stranded } = judge(world);
    expect({ dead: dead.length, lost, stranded }, `seed ${seed}`).toEqual({
      dead: 60,
      lost: [],
      stranded: [],
    });
    expect(Math.max(...dead.map(({ atMs }) => atMs))).toBeLessThan(25 * hour);
  });
});

describe("what a proxy says", unhurried, () => {
  it("is no refusal of the platform: a page with 403 in one group is waited for", async () => {
    const seed = newSeed();
    const world = createWorld({
      seed,
      receptionOf: (_, nowMs) => (nowMs < epochMs + hour ? { kind: "page", status: 403 } : { kind: "well" }),
    });
    for (let number = 0; number < 40; number += 1) {
      world.send({ id: `m${number}`, conversation: `g${number % 10}`, atMs: number * 1_000 });
    }
    await world.run(48 * hour);
    world.close();

    expect(keptOf(judge(world)), `seed ${seed}`).toEqual(kept);
  });
});

describe("an old event", unhurried, () => {
  /** Puts an event into the queue that was received so long before the world began. */
  async function runOldEvent(ageMs: number, settings: Readonly<Record<string, string>> = {}) {
    const world = createWorld({ seed: newSeed(), settings });
    world.send({ id: "m", conversation: "g", atMs: 0 });
    const { queue } = world.aws.queues.get(queueNames.events);
    const stop = queue.onChange(() => {
      stop();
      const [message] = queue.peek();
      if (message === undefined) return;
      queue.replace([]);
      queue.send({
        body: JSON.stringify({ ...JSON.parse(message.body), receivedAt: epochMs - ageMs }),
        lane: message.lane,
        deduplicationId: "old",
      });
    });
    await world.run(48 * hour);
    world.close();
    return judge(world);
  }

  it("is not acted on 31 days after its receipt, but buried with that cause", async () => {
    const { answered, dead } = await runOldEvent(31 * day);

    expect(answered).toBe(0);
    expect(dead).toMatchObject([{ reason: "too-old" }]);
  });

  it("is acted on 29 days after its receipt", async () => {
    expect(await runOldEvent(29 * day)).toMatchObject({ answered: 1, dead: [] });
  });

  it("is acted on however old it is when the switch says so", async () => {
    const settings = { ACT_ON_OLD_EVENTS: "true" };
    expect(await runOldEvent(31 * day, settings)).toMatchObject({ answered: 1, dead: [] });
  });
});
