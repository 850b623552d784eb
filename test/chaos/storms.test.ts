import { describe, expect, it } from "vitest";
import { firstByDay, isNight } from "../helpers/by-day.ts";
import { kept } from "./scenarios/kept.ts";
import { profiles, runStorm } from "./scenarios/storm.ts";
import { seed, unhurried } from "./seeds.ts";
import { percentile } from "./world/judge.ts";

const messages = isNight ? 250 : 100;
const conversations = isNight ? 60 : 25;

describe("messages of many conversations, one to three deliveries each", unhurried, () => {
  const storms = Object.entries(profiles).map(([name, profile]) => ({ name, profile }));

  it.each(firstByDay(storms, 2))(
    "are each answered, once and in order, and audited while other triggers wait for something else: $name",
    async ({ profile }) => {
      const enabledTriggers = "look,reply,audit";
      const figures = await runStorm({ seed: seed + 1, profile, messages, conversations, enabledTriggers });

      const answered = messages - figures.refused.length;
      expect(figures).toMatchObject({ ...kept, answered, audited: answered });
    },
  );

  it("are not delayed for minutes if the table's answers get lost", async () => {
    const profile = profiles["lost answers of the table"];
    const { latenciesMs } = await runStorm({ seed, profile, messages, conversations });

    expect(latenciesMs.at(-1)).toBeLessThan(90_000);
    expect(percentile(latenciesMs, 0.9)).toBeLessThan(2_000);
  });
});

const carelessStorms = [
  "everything at once",
  "lost answers of the platform",
  "sends carried out late, and lists that lag",
] as const;

describe("handlers that do not await their effects, or run one twice concurrently", unhurried, () => {
  it.each(firstByDay(carelessStorms))("break no promise in %s", async (name) => {
    const texts = ["not awaited", "hello", "twice at once"];
    const profile = profiles[name];
    const verdict = await runStorm({ seed, profile, messages: 150, conversations: 20, texts });

    expect(verdict).toMatchObject({ ...kept, answered: 150 - verdict.refused.length });
  });
});
