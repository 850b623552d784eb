import { describe, expect, it } from "vitest";
import { kept, keptOf } from "./scenarios/kept.ts";
import { profiles, runStorm } from "./scenarios/storm.ts";
import { newSeed, seeds, unhurried } from "./seeds.ts";
import { percentile } from "./world/judge.ts";

const messages = 250;
const conversations = 60;

describe("250 messages of 60 conversations, one to three deliveries each", unhurried, () => {
  // test/promises plays the first storm of "everything at once".
  const storms = Object.entries(profiles).flatMap(([name, profile], index) =>
    seeds(index + 1).map((seed) => ({ name, profile, seed })),
  );

  it.each(storms)("are each answered once and in order: $name (seed $seed)", async ({ profile, seed }) => {
    const figures = await runStorm({ seed, profile, messages, conversations });

    expect(keptOf(figures)).toEqual(kept);
    expect(figures.answered + figures.refused.length).toBe(messages);
  });

  const several = Object.entries(profiles).map(([name, profile], index) => ({
    name,
    profile,
    seed: newSeed(index + 21),
  }));

  it.each(several)(
    "are each answered, once and in order, and accounted for where other triggers wait for something else: $name (seed $seed)",
    async ({ profile, seed }) => {
      const enabledTriggers = "look,reply,audit";
      const figures = await runStorm({ seed, profile, messages, conversations, enabledTriggers });

      expect(keptOf(figures)).toEqual(kept);
      expect(figures.answered + figures.refused.length).toBe(messages);
      expect(figures.audited).toBe(figures.answered);
    },
  );

  it("wait for no minutes when the table's answers get lost", async () => {
    const seed = newSeed();
    const profile = profiles["lost answers of the table"];
    const { latenciesMs } = await runStorm({ seed, profile, messages, conversations });

    expect(latenciesMs.at(-1), `seed ${seed}`).toBeLessThan(90_000);
    expect(percentile(latenciesMs, 0.9), `seed ${seed}`).toBeLessThan(2_000);
  });
});
