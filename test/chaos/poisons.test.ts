import { describe, expect, it } from "vitest";
import { runPoison } from "./scenarios/poison.ts";
import { seed, unhurried } from "./seeds.ts";

describe("an event that nothing can handle, in a batch with nine of other conversations", unhurried, () => {
  it("is buried although its failure looks like an outage, when its neighbours' requests succeed", async () => {
    const figures = await runPoison(seed, "500 for it alone");

    expect(figures.answered).toBe(9);
    expect(figures.dead).toMatchObject([{ factId: "poison", reason: "tries", tries: 5 }]);
    // Whether a failure was its own is known only from what the neighbours did after it: the first is always free.
    expect(figures.begun).toBeGreaterThanOrEqual(5);
    expect(figures.buriedMinutes).toBeLessThan(90);
  });

  it("is buried at once when its handler says that it can never be handled", async () => {
    const figures = await runPoison(seed, "permanent");

    expect(figures.begun).toBe(1);
    expect(figures.dead).toMatchObject([
      { factId: "poison", reason: "permanent", cause: "PermanentError: This can never be handled." },
    ]);
    expect(figures.buriedMinutes).toBeLessThan(0.1);
  });
});
