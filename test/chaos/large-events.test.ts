import { describe, expect, it } from "vitest";
import { epochMs } from "../../local/testing/world/clock.ts";
import { createRandom } from "../../local/testing/world/random.ts";
import { kept, keptOf } from "./scenarios/kept.ts";
import { seed } from "./seeds.ts";
import { judge } from "./world/judge.ts";
import { createWorld } from "./world/world.ts";

const hour = 3_600_000;

/** A text that nothing can make smaller, so that its event takes several items of the table. */
function incompressible(seed: number, length: number): string {
  const random = createRandom(seed);
  return Array.from({ length }, () => String.fromCharCode(33 + Math.floor(random() * 90))).join("");
}

describe("an event that takes several items of the lanes table", () => {
  it("hides none behind it, whichever removal the process dies over", async () => {
    const text = incompressible(seed, 560_000);
    const figures: object[] = [];
    let isStruck = true;
    for (let strikeAfter = 1; isStruck; strikeAfter += 1) {
      isStruck = false;
      let removals = 0;
      const world = createWorld({
        seed,
        receptionOf: (_, nowMs) =>
          nowMs < epochMs + 20_000 ? { kind: "answer", status: 503 } : { kind: "well" },
        strikeAt: (operation) => {
          if (operation !== "dynamodb.DeleteItem") return "none";
          removals += 1;
          if (removals !== strikeAfter) return "none";
          isStruck = true;
          return "killed after";
        },
      });
      world.send({ id: "large", conversation: "g", atMs: 0, text });
      for (let number = 1; number <= 5; number += 1)
        world.send({ id: `behind-${number}`, conversation: "g", atMs: number * 1_000 });
      await world.run(48 * hour);
      world.close();

      const verdict = judge(world);
      figures.push({ answered: verdict.answered, ...keptOf(verdict) });
    }

    expect(figures).toEqual(figures.map(() => ({ answered: 6, ...kept })));
    // Each part of the large event, the five behind it and the lane, and one run in which no process dies.
    expect(figures.length).toBeGreaterThanOrEqual(9);
  });
});
