import { epochMs } from "../../../local/testing/simulated/clock.ts";
import { between } from "../../../local/testing/simulated/random.ts";
import { answerTimes, judge, percentile, type Verdict } from "../world/judge.ts";
import { hour, play, upTo, well } from "../world/play.ts";

export interface NeighbourOptions {
  readonly seed: number;
  /** Events of the app whose platform is down; 0 for the comparison. */
  readonly events: number;
  readonly hours: number;
}

export interface NeighbourFigures {
  readonly ill: Verdict;
  readonly well: Verdict;
  /** The healthy app's median from queue to answer while the other is down, in milliseconds. */
  readonly wellP50Ms: number;
  readonly wellP99Ms: number;
  readonly drainedMinutes: number;
  readonly requests: number;
}

/** One app's platform is down for hours and its events pile up; another app of the deployment is healthy. */
export async function runNeighbours({ seed, events, hours }: NeighbourOptions): Promise<NeighbourFigures> {
  const endsAt = hours * hour;
  const isOut = (nowMs: number) => nowMs < epochMs + endsAt;
  const { world } = await play({
    seed,
    appIds: ["well", "ill"],
    hours: hours + 48,
    receptionOf: ({ appId }, nowMs) => (appId === "ill" && isOut(nowMs) ? { kind: "silence" } : well),
    facts: ({ random }) => [
      ...upTo(events, (n) => ({
        id: `ill-${n}`,
        appId: "ill",
        atMs: Math.floor((n / events) * endsAt),
        conversation: `g${between(random, 1, 2_000)}`,
      })),
      // The same times in every run, so that two runs can be compared.
      ...upTo(Math.ceil(endsAt / 20_000), (n) => ({
        id: `well-${n}`,
        appId: "well",
        conversation: `g${n % 50}`,
        atMs: n * 20_000 + 7,
      })),
    ],
  });
  const others = judge(world, (id) => id.startsWith("well-"));
  let last = 0;
  for (const [id, atMs] of answerTimes(world)) if (id.startsWith("ill-")) last = Math.max(last, atMs);
  return {
    ill: judge(world, (id) => id.startsWith("ill-")),
    well: others,
    wellP50Ms: percentile(others.latenciesMs, 0.5),
    wellP99Ms: percentile(others.latenciesMs, 0.99),
    drainedMinutes: (last - endsAt) / 60_000,
    requests: world.platform.requestsOf("ill").filter(isOut).length,
  };
}
