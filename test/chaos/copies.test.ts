import { describe, expect, it } from "vitest";
import { kept } from "./scenarios/kept.ts";
import { seed, unhurried } from "./seeds.ts";
import { judge } from "./world/judge.ts";
import type { Fact } from "./world/sender.ts";
import { createWorld } from "./world/world.ts";

/** Fifty facts, delivered more than once. */
async function runCopies(how: Partial<Fact>) {
  const world = createWorld({
    seed,
    enabledTriggers: "reply,audit",
    listLagMs: 5_000,
    receptionOf: ({ method }, _, random) =>
      method === "POST" && random() < 0.1 ? { kind: "carried out late" } : { kind: "well" },
  });
  for (let number = 0; number < 50; number += 1) {
    world.send({ id: `m${number}`, conversation: `g${number % 5}`, atMs: number * 1_000, ...how });
  }
  await world.run(20 * 24 * 3_600_000);
  world.close();
  const audits = [...world.diary.audited.values()].map((times) => times.length);
  return { ...judge(world), audits: new Set(audits) };
}

describe("a fact that is told of more than once", unhurried, () => {
  it("has its effects once when it comes through two webhooks of an app", async () => {
    const verdict = await runCopies({ copies: 2, webhooks: ["one", "two"], copiesWithinMs: 1 });

    expect(verdict).toMatchObject({ ...kept, answered: 50 });
    expect(verdict.audits).toEqual(new Set([1]));
  });

  it("has its effects once when it comes again within hours", async () => {
    const verdict = await runCopies({ copies: 3, copiesWithinMs: 5 * 3_600_000 });

    expect(verdict).toMatchObject({ ...kept, answered: 50 });
    expect(verdict.audits).toEqual(new Set([1]));
  });
});
