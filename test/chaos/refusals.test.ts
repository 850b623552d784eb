import { describe, expect, it } from "vitest";
import { groupByCause } from "../../lib/queue/cause-group.ts";
import { deadLetters } from "../../lib/queue/dead-letter.ts";
import { queueNames } from "../../local/testing/simulated/aws.ts";
import { epochMs } from "../../local/testing/simulated/clock.ts";
import { isNight } from "../helpers/by-day.ts";
import { kept } from "./scenarios/kept.ts";
import { seed, unhurried } from "./seeds.ts";
import type { Reception } from "./world/chat-platform.ts";
import { judge, percentile } from "./world/judge.ts";
import { answer, hour, inTurn, isWithin, play, well } from "./world/play.ts";
import { createWorld, type World } from "./world/world.ts";

const day = 24 * hour;
const notJoined: Reception = answer(403, "ERR_GROUP_NOT_JOINED");

describe("a permanent refusal by the platform", unhurried, () => {
  it("in one group is dead-lettered immediately and delays nothing", async () => {
    // Half a message a second for minutes, all in a group without the answering user.
    const messages = isNight ? 900 : 60;
    let hasJoined = false;
    const world = createWorld({
      seed,
      enabledTriggers: "reply,audit",
      receptionOf: ({ receiver, method }) =>
        !hasJoined && receiver === "forbidden" && method === "POST" ? notJoined : well,
    });
    for (let number = 0; number < messages; number += 1) {
      world.send({ id: `refused-${number}`, conversation: "forbidden", atMs: number * 2_000 });
      if (number % 3 === 0) world.send({ id: `other-${number}`, conversation: "g", atMs: number * 2_000 });
    }
    await world.run(48 * hour);

    const refused = judge(world, (id) => id.startsWith("refused-"));
    const { audited } = world.diary;
    const latencies = [...audited].map(([id, [atMs = Number.NaN]]) => atMs - (world.enqueued.get(id) ?? 0));
    expect(judge(world, (id) => id.startsWith("other-"))).toMatchObject(kept);
    expect(refused.dead).toHaveLength(messages);
    expect(new Set(refused.dead.map(({ reason }) => reason))).toEqual(new Set(["permanent"]));
    expect(refused.dead[0]?.cause).toContain("ERR_GROUP_NOT_JOINED");
    // The group's other trigger handled every event, once, and in time.
    expect(audited.size).toBe((messages * 4) / 3);
    expect([...audited.values()].filter((times) => times.length > 1)).toEqual([]);
    latencies.sort((one, other) => one - other);
    expect(percentile(latencies, 0.99)).toBeLessThan(1_000);

    // An operator sees one line, and replays all of it by its name.
    const listed = await world.operate((services) => deadLetters.list({}, services));
    const groups = groupByCause(listed?.found ?? []);
    expect(groups).toMatchObject([{ count: messages, appId: "app-1", trigger: "message_sent" }]);
    hasJoined = true;
    const selection = { cause: groups[0]?.name };
    const report = await world.replay({ selection });
    await world.run(60 * hour);
    world.close();

    expect(report).toMatchObject({ replayed: messages, failure: undefined });
    expect(judge(world)).toMatchObject({ ...kept, answered: (messages * 4) / 3 });
    expect([...audited.values()].filter((times) => times.length > 1)).toEqual([]);
  });

  it("is dead-lettered with its own cause, although the dead-letter queue is out for ten minutes", async () => {
    const { verdict } = await play({
      facts: inTurn({ messages: 5, conversations: 5, everyMs: 100 }),
      receptionOf: ({ method }) => (method === "POST" ? notJoined : well),
      fateOf: (operation, body, nowMs) =>
        operation === "sqs.SendMessage" && body.includes("dead-letters") && isWithin(nowMs, 0, hour / 6)
          ? "failed"
          : "answered",
    });

    const { dead, lost, stranded } = verdict;
    expect({ lost, stranded }).toEqual({ lost: [], stranded: [] });
    expect(dead.map(({ reason }) => reason)).toEqual(Array.from({ length: 5 }, () => "permanent"));
    expect(dead[0]?.cause).toContain("ERR_GROUP_NOT_JOINED");
  });
});

describe("an old event", unhurried, () => {
  /** Queues an event that was received so long before the start. */
  async function runOldEvent(ageMs: number, settings: Readonly<Record<string, string>> = {}) {
    const ageWhenSent = ({ aws }: World) => {
      const { queue } = aws.queues.get(queueNames.events);
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
      return [{ id: "m", conversation: "g", atMs: 0 }];
    };
    return (await play({ settings, facts: ageWhenSent })).verdict;
  }

  it.each([
    ["31 days after its receipt, but dead-lettered with that cause", 31, {}, ["too-old"]],
    ["with the switch, at any age", 31, { ACT_ON_OLD_EVENTS: "true" }, []],
  ])("is handled, or not, %s", async (_, days, settings, reasons) => {
    const { answered, dead } = await runOldEvent(days * day, settings);

    expect(dead.map(({ reason }) => reason)).toEqual(reasons);
    expect(answered).toBe(1 - reasons.length);
  });
});
