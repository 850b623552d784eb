import { describe, expect, it } from "vitest";
import { firstByDay, isNight } from "../helpers/by-day.ts";
import { kept } from "./scenarios/kept.ts";
import { outages, runOutage } from "./scenarios/outage.ts";
import { seed, unhurried } from "./seeds.ts";

const minutes = isNight ? 120 : 30;

describe("conversations that wait for a destination", unhurried, () => {
  const kinds = [2, 50].flatMap((concurrency) =>
    [50, 4].flatMap((conversations) =>
      (["silence", "answers 503"] as const).map((name) => ({ name, concurrency, conversations })),
    ),
  );

  it.each(firstByDay(kinds))(
    `are all woken by the first success: $conversations after ${minutes} min, $name, concurrency $concurrency`,
    async ({ name, concurrency, conversations }) => {
      const figures = await runOutage({
        seed,
        outage: outages[name],
        minutes,
        eventsPerSecond: 0.1,
        conversations,
        concurrency,
      });

      expect(figures).toMatchObject({ ...kept, answered: 6 * (minutes + 20) });
      expect(figures.drainedMinutes).toBeLessThan(2);
      // One probe in 30 s; the others belong to the first minute.
      expect(figures.requests).toBeLessThan(2 * minutes + 160);
    },
  );

  it.runIf(isNight)(
    "are woken if one trigger reads and another one writes at the unhealthy host",
    async () => {
      const figures = await runOutage({
        seed,
        outage: outages["429 without an end"],
        minutes: 20,
        eventsPerSecond: 0.1,
        conversations: 20,
        enabledTriggers: "look,reply",
      });

      expect(figures).toMatchObject(kept);
      expect(figures.drainedMinutes).toBeLessThan(2);
    },
  );
});
