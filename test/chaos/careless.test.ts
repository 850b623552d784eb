import { describe, expect, it } from "vitest";
import { firstByDay } from "../helpers/by-day.ts";
import { kept } from "./scenarios/kept.ts";
import { profiles, runStorm } from "./scenarios/storm.ts";
import { seed, unhurried } from "./seeds.ts";

const storms = [
  "everything at once",
  "lost answers of the platform",
  "sends carried out late, and lists that lag",
] as const;

describe("handlers that do not await what they do, or do it twice at once", unhurried, () => {
  it.each(firstByDay(storms))("break no promise through %s", async (name) => {
    const texts = ["not awaited", "hello", "twice at once"];
    const profile = profiles[name];
    const verdict = await runStorm({ seed, profile, messages: 150, conversations: 20, texts });

    expect(verdict).toMatchObject({ ...kept, answered: 150 - verdict.refused.length });
  });
});
