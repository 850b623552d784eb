import { expect, it } from "vitest";
import { runBusyUser } from "./scenarios/busy-user.ts";
import { kept } from "./scenarios/kept.ts";
import { seed, unhurried } from "./seeds.ts";
import { percentile } from "./world/judge.ts";

const ofApp = { "x-rate-limit": "20000", "x-rate-limit-remaining": "15000" };
const own = { "x-rate-limit": "30", "x-rate-limit-remaining": "0" };

/** A consumer's batches at a time: many, and what is deployed by default. */
it.each([
  [50, "the app's", ofApp],
  [2, "the app's", ofApp],
  [2, "the user's own", own],
])(
  "answers of other users are at most 1.1 times as slow while one user is at its limit, concurrency %i, numbers of its 429: %s",
  unhurried,
  async (concurrency, _, numbers) => {
    const minutes = 4;
    const alone = await runBusyUser({ seed, concurrency, minutes, perMinute: 0, numbers });
    const beside = await runBusyUser({ seed, concurrency, minutes, perMinute: 60, numbers });

    expect(beside.refused).toBeGreaterThan(0);
    expect(beside.busy).toMatchObject({ ...kept, answered: minutes * 60 });
    expect(beside.others).toMatchObject({ ...kept, answered: minutes * 60 });
    expect(beside.othersMeanMs / alone.othersMeanMs).toBeLessThan(1.1);
    expect(percentile(beside.others.latenciesMs, 0.99)).toBeLessThan(
      1.25 * percentile(alone.others.latenciesMs, 0.99),
    );
  },
);
