import { epochMs } from "../../../local/testing/world/clock.ts";
import { between } from "../../../local/testing/world/random.ts";
import { answerTimes, judge, percentile, type Verdict } from "../world/judge.ts";
import { createWorld } from "../world/world.ts";

export interface NeighbourOptions {
  readonly seed: number;
  /** Events of the app whose platform is down; 0 for the comparison. */
  readonly events: number;
  readonly hours: number;
}

export interface NeighbourFigures {
  readonly ill: Verdict;
  readonly well: Verdict;
  /** The well app's median from queue to answer while the other is down, in milliseconds. */
  readonly wellP50Ms: number;
  readonly wellP99Ms: number;
  readonly drainedMinutes: number;
  readonly requests: number;
}

/** One app's platform is down for hours and its events pile up; another app of the same deployment goes on. */
export async function runNeighbours({ seed, events, hours }: NeighbourOptions): Promise<NeighbourFigures> {
  const endsAt = hours * 3_600_000;
  const isOut = (nowMs: number) => nowMs < epochMs + endsAt;
  const world = createWorld({
    seed,
    appIds: ["well", "ill"],
    receptionOf: ({ appId }, nowMs) =>
      appId === "ill" && isOut(nowMs) ? { kind: "silence" } : { kind: "well" },
  });
  try {
    for (let number = 0; number < events; number += 1) {
      const atMs = Math.floor((number / events) * endsAt);
      const conversation = `g${between(world.random, 1, 2_000)}`;
      world.send({ id: `ill-${number}`, appId: "ill", conversation, atMs });
    }
    // The same times in every run, so that two runs can be compared.
    for (let number = 0; number * 20_000 < endsAt; number += 1) {
      world.send({
        id: `well-${number}`,
        appId: "well",
        conversation: `g${number % 50}`,
        atMs: number * 20_000 + 7,
      });
    }
    await world.run(endsAt + 48 * 3_600_000);
    const well = judge(world, (id) => id.startsWith("well-"));
    const times = answerTimes(world);
    let last = 0;
    for (const [id, atMs] of times) if (id.startsWith("ill-")) last = Math.max(last, atMs);
    return {
      ill: judge(world, (id) => id.startsWith("ill-")),
      well,
      wellP50Ms: percentile(well.latenciesMs, 0.5),
      wellP99Ms: percentile(well.latenciesMs, 0.99),
      drainedMinutes: (last - endsAt) / 60_000,
      requests: world.platform.requestsOf("ill").filter(isOut).length,
    };
  } finally {
    world.close();
  }
}
