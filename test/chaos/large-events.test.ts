import { describe, expect, it } from "vitest";
import { createRandom } from "../../local/testing/simulated/random.ts";
import { kept, keptOf } from "./scenarios/kept.ts";
import { seed } from "./seeds.ts";
import { answer, platformDuring, play, upTo } from "./world/play.ts";

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
      const { verdict } = await play({
        facts: [
          { id: "large", conversation: "g", atMs: 0, text },
          ...upTo(5, (n) => ({ id: `behind-${n}`, conversation: "g", atMs: (n + 1) * 1_000 })),
        ],
        receptionOf: platformDuring(0, 20_000, answer(503)),
        strikeAt: (operation) => {
          if (operation !== "dynamodb.DeleteItem") return "none";
          removals += 1;
          if (removals !== strikeAfter) return "none";
          isStruck = true;
          return "killed after";
        },
      });
      figures.push({ answered: verdict.answered, ...keptOf(verdict) });
    }

    expect(figures).toEqual(figures.map(() => ({ answered: 6, ...kept })));
    // Each part of the large event, the five behind it and the lane, and one run in which no process dies.
    expect(figures.length).toBeGreaterThanOrEqual(9);
  });
});
