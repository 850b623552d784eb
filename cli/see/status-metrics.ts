import { readQueueCounts } from "../../lib/aws/queue-counts.ts";
import {
  latestIn,
  type MetricQuery,
  type MetricSeries,
  newestIn,
  readMetrics,
  readOldest,
  sumOf,
} from "../../lib/aws/read-metrics.ts";
import { metricNamespace } from "../../lib/base/count-metric.ts";
import { countMetrics, isOver } from "../../lib/operate/doctor/check-deliveries.ts";
import type { RecentLogs } from "../../lib/operate/doctor/doctor-services.ts";
import type { Remedies } from "../../lib/operate/doctor/remedies.ts";
import { type Unknown, whyUnknown, wrong } from "../../lib/operate/doctor/run-checks.ts";
import type { CliEdges } from "../edges.ts";
import { type Stack, shortNameOf, type Target } from "../target/target.ts";
import { toFilterPattern } from "./log-line.ts";
import { logsOf, openLogs } from "./read-logs.ts";

const queues = {
  events: "EventsQueue",
  // A parked lane can have several, or none during a pause.
  "lane tickets": "ParkedLanesQueue",
  calls: "CallsQueue",
  "dead letters": "DeadLetterQueue",
  quarantine: "QuarantineQueue",
} as const;

function lastHour(toMs: number) {
  return { fromMs: toMs - 3_600_000, toMs };
}

export async function readQueueStatus(
  { callAws }: Pick<Target, "callAws">,
  { physicalId }: Pick<Stack, "physicalId">,
  toMs: number,
  nameGone: (what: string, why: Unknown) => unknown,
) {
  const read = async ([queue, logicalId]: [string, string]) => {
    const url = physicalId(logicalId);
    const oldest = await readOldest(callAws, url, toMs);
    const { waiting, taken } = await readQueueCounts(callAws, url);
    return [{ queue, waiting, taken, oldestSeconds: oldest?.[1] }];
  };
  const found = Object.entries(queues).map((one) =>
    read(one).catch((error: unknown) => {
      const why = whyUnknown(error);
      if (why.because !== "gone") throw error;
      nameGone(one[1], why);
      return [];
    }),
  );
  return (await Promise.all(found)).flat();
}

/** @see https://docs.aws.amazon.com/lambda/latest/dg/monitoring-metrics-types.html */
const measures = [
  ["Invocations", "Sum"],
  ["Errors", "Sum"],
  ["Throttles", "Sum"],
  ["Duration", "Sum"],
  ["Duration", "Maximum"],
] as const;

export async function readFunctionStatus(target: Target, stack: Stack, { now, signal }: CliEdges) {
  const nowMs = now();
  const changedAtMs = stack.changedAt?.getTime() ?? 0;
  const functions = [...stack.resources.values()].filter(({ type }) => type === "AWS::Lambda::Function");
  const found = functions.map(async ({ physicalId: FunctionName }) => {
    const name = shortNameOf(stack.name, FunctionName);
    const queries = measures.map(
      ([metric, stat]): MetricQuery => ({
        namespace: "AWS/Lambda",
        name: metric,
        dimensions: { FunctionName },
        stat,
      }),
    );
    const series = await readMetrics(target.callAws, queries, lastHour(nowMs));
    const [runs = [], failed = [], throttled = [], times = [], longest = []] = series;
    const invocations = sumOf(runs);
    const [lastRun = 0] = latestIn(runs) ?? [];
    const [lastThrottled = -1] = latestIn(throttled) ?? [];
    const { state, failedAtMs } = judgeRuns(runs, failed, { nowMs, isFedByQueue: name === "processEvents" });
    /** A deployment may have fixed earlier failures. Metrics are by the minute, unlike log lines. */
    const isOfThisVersion = async () => {
      if (failedAtMs >= changedAtMs) return true;
      if (failedAtMs + 60_000 <= changedAtMs) return false;
      const pattern = toFilterPattern({ level: "error", hasMetrics: false });
      const lines = openLogs(target, logsOf(stack, name))({ startMs: changedAtMs, pattern, signal });
      for await (const { kind, level } of lines) if (kind !== "own" && level === "error") return true;
      return false;
    };
    return {
      function: name,
      invocations,
      errors: sumOf(failed),
      throttles: sumOf(throttled),
      failsNow: state === "fails" && (await isOfThisVersion()),
      lastFailedAt:
        state === "unproven" && (await isOfThisVersion()) ? new Date(failedAtMs).toISOString() : undefined,
      isThrottledNow: lastThrottled >= lastRun,
      averageMs: invocations === 0 ? undefined : sumOf(times) / invocations,
      longestMs: invocations === 0 ? undefined : Math.max(...longest.map(([, ms]) => ms)),
    };
  });
  return (await Promise.all(found)).toSorted(
    (one, other) => other.invocations - one.invocations || one.function.localeCompare(other.function),
  );
}

/** Also reports a doctor without a result for an hour: its alarms then stay silent. */
export async function readLastDoctor(
  { callAws, kind }: Target,
  { output, resources, changedAt }: Stack,
  nowMs: number,
  { doctor: remedy }: Pick<Remedies, "doctor">,
) {
  const dimensions = { deployment: output("SecretPrefix") };
  const query = { namespace: metricNamespace, name: "DoctorFailed", dimensions, stat: "Maximum" } as const;
  const [series = []] = await readMetrics(callAws, [query], lastHour(nowMs));
  const newest = newestIn(series);
  const isScheduled =
    kind === "stage" && [...resources.keys()].some((id) => id.startsWith("DoctorEventsRule"));
  const isDue = changedAt !== undefined && changedAt.getTime() < lastHour(nowMs).fromMs;
  const says = "The scheduled doctor had no result in the last hour: its alarms cannot ring.";
  return {
    doctor: newest && { at: new Date(newest[0] * 1000).toISOString(), failed: newest[1] },
    silent: newest === undefined && isScheduled && isDue ? [wrong(says, remedy)] : [],
  };
}

/** Failures until a later event of the app disproves them. */
const failingMetrics = [
  "DeliveryNotStored",
  "DeliveryTooLarge",
  "DeliveryUnauthorized",
  "QuestionUnauthorized",
  "ApiKeyRefused",
  "AppIdMismatch",
  "ScheduleFailed",
];
/** By app alone; should be 0. A queue shows what is left of the others. */
const failureMetrics = [...failingMetrics, "DeliveryQuarantined", "EventTooOld"];

export async function readFailures(
  appId: string,
  { callAws }: Target,
  nowMs: number,
  { hasHandled }: Pick<RecentLogs, "hasHandled">,
) {
  const counted = await countMetrics(appId, callAws, failureMetrics, lastHour(nowMs));
  const failing: string[] = [];
  for (const one of counted) {
    if (failingMetrics.includes(one.metric) && !(await isOver(appId, one, hasHandled, nowMs)))
      failing.push(one.metric);
  }
  return { failures: Object.fromEntries(counted.map(({ metric, count }) => [metric, count])), failing };
}

const stillFailsMs = 300_000;
const minuteMs = 60_000;
/**
 * Of the queue's function: an event whose process ended returns after 75 s. Until then, good runs of other
 * events prove nothing.
 */
const returnedMs = minuteMs + 75_000 + 45_000;

interface JudgedRuns {
  /** `unproven`: the last runs failed, some time ago. */
  readonly state: "well" | "fails" | "unproven";
  readonly failedAtMs: number;
}

/** Enough good runs after the last failure: one if only failures came before, else three for each failure. */
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
