import { describe, expect, it } from "vitest";
import { epochMs } from "../../local/testing/world/clock.ts";
import { kept, keptOf } from "./scenarios/kept.ts";
import { newSeed, unhurried } from "./seeds.ts";
import { judge } from "./world/judge.ts";
import { createWorld } from "./world/world.ts";

const minute = 60_000;
const hour = 60 * minute;

describe("bans that are refused in a 200", unhurried, () => {
  it.each(['{"data":{"success":false}}', "{}"])(
    "for ten minutes are made later, each once: %j",
    async (body) => {
      const world = createWorld({
        seed: newSeed(),
        enabledTriggers: "ban",
        receptionOf: ({ method }, nowMs) =>
          method === "POST" && nowMs < epochMs + 10 * minute ? { kind: "said", body } : { kind: "well" },
      });
      for (let number = 0; number < 20; number += 1)
        world.send({ id: `m${number}`, conversation: `g${number}`, atMs: number * 1_000 });
      await world.run(2 * hour);
      world.close();

      expect(world.platform.bans).toHaveLength(20);
      expect(new Set(world.platform.bans).size).toBe(20);
      expect(judge(world).dead).toEqual([]);
    },
  );

  it.each([
    [
      "at once",
      "permanent",
      '{"error":{"code":"ERR_GROUP_NO_CLEARANCE","message":"No."}}',
      "ERR_GROUP_NO_CLEARANCE",
    ],
    ["after the longest wait", "patience", '{"data":{"success":false,"message":"Not today."}}', "Not today."],
  ])("for good are dead-lettered %s (%s) with the cause: %s", async (_, reason, body, cause) => {
    const world = createWorld({
      // Of one seed: which lane gets how many probes is chance, and one that never asked cannot tell why it was refused.
      seed: 1,
      enabledTriggers: "ban",
      settings: { PATIENCE_HOURS: "2" },
      receptionOf: ({ method }) => (method === "POST" ? { kind: "said", body } : { kind: "well" }),
    });
    for (let number = 0; number < 20; number += 1)
      world.send({ id: `m${number}`, conversation: `g${number}`, atMs: number * 1_000 });
    await world.run(4 * hour);
    world.close();

    const { dead } = judge(world);
    expect(world.platform.bans).toEqual([]);
    expect(dead).toHaveLength(20);
    expect(new Set(dead.map((letter) => letter.reason))).toEqual(new Set([reason]));
    expect(dead.filter((letter) => !letter.cause.includes(cause))).toEqual([]);
  });
});

describe("look-ups that are answered 200 without a list", unhurried, () => {
  it.each(["{}", "<html>OK</html>", '{"error":{"code":"ERR_EXCEPTION"}}'])(
    "after lost answers double nothing: %j",
    async (body) => {
      let lost = 0;
      const counted: string[] = [];
      const world = createWorld({
        seed: newSeed(),
        enabledTriggers: "reply",
        onCount: (name) => counted.push(name),
        receptionOf: ({ method }, nowMs) => {
          if (method === "GET")
            return nowMs < epochMs + 10 * minute ? { kind: "said", body } : { kind: "well" };
          lost += 1;
          return lost <= 30 ? { kind: "answer lost" } : { kind: "well" };
        },
      });
      for (let number = 0; number < 30; number += 1)
        world.send({ id: `m${number}`, conversation: `g${number}`, atMs: number * 10_000 });
      await world.run(2 * hour);
      world.close();

      const verdict = judge(world);
      expect(keptOf(verdict)).toEqual(kept);
      expect(verdict.answered).toBe(30);
      expect(counted.includes("AnswerNotAsDocumented")).toBe(!body.includes("error"));
    },
  );
});
