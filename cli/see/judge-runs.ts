import { type MetricSeries, sumOf } from "../../lib/aws/read-metrics.ts";

/** Metrics are some minutes late. */
const stillFailsMs = 300_000;
const minuteMs = 60_000;
/**
 * Of the queue's function: an event whose process ended in this minute returns after 75 s. Until then, good
 * runs of other events prove nothing; afterwards, one is enough.
 */
const returnedMs = minuteMs + 75_000 + 45_000;

interface JudgedRuns {
  /** `unproven`: the last runs failed, some time ago, and none came since. */
  readonly state: "well" | "fails" | "unproven";
  /** Of the minute of the last failure; 0 without one. */
  readonly failedAtMs: number;
}

/**
 * Judges a function by its runs and failures of each minute. Enough good runs after the last failure prove
 * that its cause is mended: one if nothing but failures came before, else three times as many as came for
 * each failure.
 */
export function judgeRuns(
  runs: MetricSeries,
  failures: MetricSeries,
  { nowMs, isFedByQueue }: { readonly nowMs: number; readonly isFedByQueue: boolean },
): JudgedRuns {
  const failedIn = new Map(failures.filter(([, count]) => count > 0));
  const first = Math.min(...failedIn.keys());
  const last = Math.max(...failedIn.keys());
  if (failedIn.size === 0) return { state: "well", failedAtMs: 0 };
  const failedAtMs = last * 1000;
  const countIn = (fromSeconds: number, toSeconds: number) =>
    runs.reduce((sum, [at, count]) => (at >= fromSeconds && at <= toSeconds ? sum + count : sum), 0);
  const failed = sumOf(failures);
  const ran = countIn(first, last);
  const needed = ran <= failed || isFedByQueue ? 1 : (3 * ran) / failed;
  const isSettled = !isFedByQueue || nowMs - failedAtMs >= returnedMs;
  if (isSettled && countIn(last + 60, Infinity) >= needed) return { state: "well", failedAtMs };
  if (nowMs - failedAtMs < stillFailsMs) return { state: "fails", failedAtMs };
  const isLast = countIn(last, Infinity) <= (failedIn.get(last) ?? 0);
  return { state: isLast ? "unproven" : "well", failedAtMs };
}
