import { describe, expect, it } from "vitest";
import { tableNames } from "../../local/testing/simulated/aws.ts";
import { kept } from "./scenarios/kept.ts";
import { unhurried } from "./seeds.ts";
import { inTurn, play, well } from "./world/play.ts";
import type { World } from "./world/world.ts";

/** Twelve events, each of whose claims vanishes from the table once, just before its process writes to it. */
async function runVanishedClaims(answers: "come" | "are lost at first") {
  const vanished = new Set<string>();
  const unanswered = new Set<string>();
  let running: World | undefined;
  const { world, verdict } = await play({
    facts: (begun) => {
      running = begun;
      return inTurn({ messages: 12, conversations: 12, everyMs: 1_000 });
    },
    enabledTriggers: "reply,audit,ban",
    fateOf: (operation, body) => {
      const { TableName, Key } = JSON.parse(body);
      if (
        operation === "dynamodb.UpdateItem" &&
        TableName === tableNames.effects &&
        !vanished.has(Key.id.S)
      ) {
        vanished.add(Key.id.S);
        running?.aws.tables.call("DeleteItem", { TableName, Key });
      }
      return "answered";
    },
    receptionOf: ({ method, path, text }) => {
      const asked = `${path} ${text}`;
      if (answers === "come" || method !== "POST" || unanswered.has(asked)) return well;
      unanswered.add(asked);
      return { kind: "answer lost" };
    },
  });
  const audits = [...world.diary.audited.values()].map((times) => times.length);
  return { ...verdict, audits: new Set(audits), bans: world.platform.bans.length, vanished: vanished.size };
}

describe("claims that vanish from the table after their effect", unhurried, () => {
  it("are recognised by the process that acted: no effect is repeated", async () => {
    const verdict = await runVanishedClaims("come");

    expect(verdict).toMatchObject(kept);
    expect(verdict).toMatchObject({ answered: 12, audits: new Set([1]), bans: 12, vanished: 36 });
  });

  it("are unclear if the platform's answer got lost, too", async () => {
    const verdict = await runVanishedClaims("are lost at first");

    expect(verdict).toMatchObject(kept);
    // A ban may be repeated.
    expect(verdict).toMatchObject({ answered: 12, audits: new Set([1]), vanished: 36 });
  });
});
