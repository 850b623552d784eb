import { describe, expect, it } from "vitest";
import { newSeed, unhurried } from "./seeds.ts";
import { judge } from "./world/judge.ts";
import { createWorld } from "./world/world.ts";

const minute = 60_000;
const hour = 60 * minute;

describe("the events behind one that is dead-lettered after the maximum wait", unhurried, () => {
  it.each([newSeed()])("survive a 503 each, a day after their receipt (seed %i)", async (seed) => {
    const failures = new Map<string, number>();
    const world = createWorld({
      seed,
      receptionOf: ({ method, text }) => {
        if (method !== "POST") return { kind: "well" };
        if (text === "re: poison") return { kind: "answer", status: 503 };
        const failed = failures.get(text) ?? 0;
        failures.set(text, failed + 1);
        return failed === 0 ? { kind: "answer", status: 503 } : { kind: "well" };
      },
    });
    world.send({ id: "poison", conversation: "g", atMs: 0 });
    for (let number = 0; number < 10; number += 1) {
      world.send({ id: `follower-${number}`, conversation: "g", atMs: (number + 1) * minute });
    }
    await world.run(48 * hour);
    world.close();

    const { dead, ...verdict } = judge(world);
    expect(dead).toMatchObject([{ factId: "poison", reason: "patience" }]);
    expect(verdict).toMatchObject({ answered: 10, lost: [], doubled: [], outOfOrder: [], stranded: [] });
    expect(dead[0]?.atMs).toBeLessThan(24.5 * hour);
    expect(verdict.latenciesMs.at(-1)).toBeLessThan(24.5 * hour);
  });
});
