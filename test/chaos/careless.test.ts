import { describe, expect, it } from "vitest";
import { kept, keptOf } from "./scenarios/kept.ts";
import { profiles, runStorm } from "./scenarios/storm.ts";
import { newSeed, unhurried } from "./seeds.ts";

describe("handlers that do not await what they do, or do it twice at once", unhurried, () => {
  it.each([
    { name: "everything at once" as const, seed: newSeed() },
    { name: "lost answers of the platform" as const, seed: newSeed() },
    { name: "sends carried out late, and lists that lag" as const, seed: newSeed() },
  ])("break no promise through $name (seed $seed)", async ({ name, seed }) => {
    const verdict = await runStorm({
      seed,
      profile: profiles[name],
      messages: 150,
      conversations: 20,
      texts: ["not awaited", "hello", "twice at once"],
    });

    expect(keptOf(verdict)).toEqual(kept);
    expect(verdict.answered).toBe(150 - verdict.refused.length);
  });
});
