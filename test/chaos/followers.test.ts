import { describe, expect, it } from "vitest";
import { isNight } from "../helpers/by-day.ts";
import { seed, unhurried } from "./seeds.ts";
import { judge } from "./world/judge.ts";
import { answer, hour, minute, well } from "./world/play.ts";
import { createWorld } from "./world/world.ts";

const patienceHours = isNight ? 24 : 2;

describe("the events behind one that is dead-lettered after the maximum wait", unhurried, () => {
  it("survive a 503 each, when they have waited for as long", async () => {
    const failed = new Set<string>();
    const world = createWorld({
      seed,
      settings: { PATIENCE_HOURS: String(patienceHours) },
      receptionOf: ({ method, text }) => {
        if (method !== "POST" || (text !== "re: poison" && failed.has(text))) return well;
        failed.add(text);
        return answer(503);
      },
    });
    world.send({ id: "poison", conversation: "g", atMs: 0 });
    for (let number = 0; number < 10; number += 1) {
      world.send({ id: `follower-${number}`, conversation: "g", atMs: (number + 1) * minute });
    }
    await world.run(2 * patienceHours * hour);
    world.close();

    const { dead, ...verdict } = judge(world);
    expect(dead).toMatchObject([{ factId: "poison", reason: "patience" }]);
    expect(verdict).toMatchObject({ answered: 10, lost: [], doubled: [], outOfOrder: [], stranded: [] });
    expect(dead[0]?.atMs).toBeLessThan((patienceHours + 0.5) * hour);
    expect(verdict.latenciesMs.at(-1)).toBeLessThan((patienceHours + 0.5) * hour);
  });
});
