import { describe, expect, it } from "vitest";
import { runPoison } from "./scenarios/poison.ts";
import { seed, unhurried } from "./seeds.ts";

describe("an event that always fails, in a batch with nine of other conversations", unhurried, () => {
  it("is dead-lettered although its failure looks like an outage, if its neighbours' requests succeed", async () => {
    const figures = await runPoison(seed, "500 for it alone");

    expect(figures.answered).toBe(9);
    expect(figures.dead).toMatchObject([{ factId: "poison", reason: "tries", tries: 5 }]);
    // Only the neighbours' later results show whether a failure was its own: the first does not count.
    expect(figures.begun).toBeGreaterThanOrEqual(5);
    expect(figures.buriedMinutes).toBeLessThan(90);
  });

  it("is dead-lettered immediately if its handler throws a permanent error", async () => {
    const figures = await runPoison(seed, "permanent");

    expect(figures.begun).toBe(1);
    expect(figures.dead).toMatchObject([
      { factId: "poison", reason: "permanent", cause: "PermanentError: This can never be handled." },
    ]);
    expect(figures.buriedMinutes).toBeLessThan(0.1);
  });
});
