import { describe, expect, it } from "vitest";
import { playKept } from "./scenarios/kept.ts";
import { unhurried } from "./seeds.ts";
import { hour, inTurn, well } from "./world/play.ts";

describe("an occurrence that is reported more than once", unhurried, () => {
  it.each([
    ["through two webhooks of an app", { copies: 2, webhooks: ["one", "two"], copiesWithinMs: 1 }],
    ["again within hours", { copies: 3, copiesWithinMs: 5 * hour }],
  ])("has its effects once if it arrives %s", async (_, how) => {
    const { world } = await playKept({
      answered: 50,
      facts: inTurn({ messages: 50, conversations: 5, everyMs: 1_000, ...how }),
      enabledTriggers: "reply,audit",
      listLagMs: 5_000,
      hours: 20 * 24,
      receptionOf: ({ method }, _, random) =>
        method === "POST" && random() < 0.1 ? { kind: "carried out late" } : well,
    });

    expect([...world.diary.audited.values()].filter((times) => times.length !== 1)).toEqual([]);
  });

  // The queue keeps such duplicates: an equal key may be another occurrence. The platform delivers again
  // 10 s and 30 s after a process crashed.
  it("has its effects once if its key may recur and copies arrive within milliseconds", async () => {
    const { world } = await playKept({
      answered: 50,
      facts: inTurn({
        messages: 50,
        conversations: 5,
        everyMs: 1_000,
        trigger: "message_edited",
        copies: 3,
        webhooks: ["one", "two"],
        copiesWithinMs: 5,
      }),
      enabledTriggers: "edited",
      strikeAt: (_, __, random) => (random() < 0.005 ? "killed after" : "none"),
    });

    expect(world.logged.get("handled an event")).toBeGreaterThan(50);
  });
});
