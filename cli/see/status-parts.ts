import { createTable } from "../../lib/aws/create-table.ts";
import { oldestIn, readMetrics } from "../../lib/aws/read-metrics.ts";
import { metricNamespace } from "../../lib/base/count-metric.ts";
import { createHealthStore } from "../../lib/effects/health/health-store.ts";
import type { RecentLogs } from "../../lib/operate/doctor/recent-logs.ts";
import { listPauses } from "../../lib/queue/pauses/pause-store.ts";
import { readQueueCounts } from "../repair/queue-depth.ts";
import type { Stack } from "../target/stack.ts";
import type { Target } from "../target/target.ts";
import type { LogLine } from "./log-line.ts";
import type { Status } from "./status-schema.ts";

const queues = {
  events: "EventsQueue",
  "parked lanes": "ParkedLanesQueue",
  calls: "CallsQueue",
  "dead letters": "DeadLetterQueue",
  quarantine: "QuarantineQueue",
} as const;

/** SQS has a figure for each minute, some minutes late. */
const lookedAtMs = 900_000;
const hourMs = 3_600_000;

/**
 * Changes nothing.
 * @throws AwsCallError
 */
export async function readQueueStatus(
  { callAws }: Pick<Target, "callAws">,
  { physicalId }: Stack,
  nowMs: number,
): Promise<Status["queues"]> {
  const known = Object.entries(queues).map(([queue, logicalId]) => ({ queue, url: physicalId(logicalId) }));
  const ages = await readMetrics(
    callAws,
    known.map(({ url }) => oldestIn(url)),
    { fromMs: nowMs - lookedAtMs, toMs: nowMs },
  );
  return Promise.all(
    known.map(async ({ queue, url }, index) => {
      const { waiting, taken } = await readQueueCounts(callAws, url);
      const [newest] = (ages[index] ?? []).toSorted(([one], [other]) => other - one);
      return { queue, waiting, taken, oldestSeconds: newest?.[1] };
    }),
  );
}

/**
 * Of the last hour. Changes nothing.
 * @throws AwsCallError
 * @see https://docs.aws.amazon.com/lambda/latest/dg/monitoring-metrics-types.html
 */
export async function readFunctionStatus(
  { callAws }: Pick<Target, "callAws">,
  { name, resources, changedAt }: Stack,
  nowMs: number,
): Promise<Status["functions"]> {
  const functions = [...resources.values()].filter(({ type }) => type === "AWS::Lambda::Function");
  const asked = functions.flatMap(({ physicalId }) =>
    measures.map(([metric, stat]) => ({
      ...{ namespace: "AWS/Lambda", name: metric, dimensions: { FunctionName: physicalId } },
      stat,
    })),
  );
  const series = await readMetrics(callAws, asked, { fromMs: nowMs - hourMs, toMs: nowMs });
  return functions
    .map(({ physicalId }, index) => {
      const valuesOf = (place: number) =>
        (series[index * measures.length + place] ?? []).map(([, value]) => value);
      const sumOf = (place: number) => valuesOf(place).reduce((all, value) => all + value, 0);
      const invocations = sumOf(0);
      const minutesOf = (place: number) =>
        new Map((series[index * measures.length + place] ?? []).filter(([, value]) => value > 0));
      const [runs, failed] = [minutesOf(0), minutesOf(1)];
      const lastRun = Math.max(0, ...runs.keys());
      return {
        function: physicalId.startsWith(`${name}-`) ? physicalId.slice(name.length + 1) : physicalId,
        ...{ invocations, errors: sumOf(1), throttles: sumOf(2) },
        // Earlier failures, and those before a deployment, may be fixed.
        failsNow:
          (lastRun + 60) * 1000 > (changedAt?.getTime() ?? 0) &&
          failed.has(lastRun) &&
          failed.get(lastRun) === runs.get(lastRun),
        isThrottledNow: Math.max(-1, ...minutesOf(2).keys()) >= lastRun,
        averageMs: invocations === 0 ? undefined : sumOf(3) / invocations,
        longestMs: invocations === 0 ? undefined : Math.max(...valuesOf(4)),
      };
    })
    .toSorted(
      (one, other) => other.invocations - one.invocations || one.function.localeCompare(other.function),
    );
}

/**
 * Within the hour; undefined if it did not run.
 * @throws AwsCallError
 */
export async function readLastDoctor(
  { callAws }: Pick<Target, "callAws">,
  { output }: Stack,
  nowMs: number,
): Promise<Status["doctor"]> {
  const metric = { namespace: metricNamespace, name: "DoctorFailed", stat: "Maximum" } as const;
  const dimensions = { deployment: output("SecretPrefix") };
  const [series = []] = await readMetrics(callAws, [{ ...metric, dimensions }], {
    fromMs: nowMs - hourMs,
    toMs: nowMs,
  });
  const [newest] = series.toSorted(([one], [other]) => other - one);
  return newest && { at: new Date(newest[0] * 1000).toISOString(), failed: newest[1] };
}

const measures = [
  ["Invocations", "Sum"],
  ["Errors", "Sum"],
  ["Throttles", "Sum"],
  ["Duration", "Sum"],
  ["Duration", "Maximum"],
] as const;

/** Until an event of the app is handled afterwards. */
const failingMetrics = [
  "DeliveryNotStored",
  "DeliveryTooLarge",
  "DeliveryUnauthorized",
  "ApiKeyRefused",
  "AppIdMismatch",
  "ScheduleFailed",
] as const;
/** By app alone; should be 0. Of the others, a queue shows what is left. */
const failureMetrics = [...failingMetrics, "DeliveryQuarantined", "EventTooOld"] as const;

/** With more apps, metrics are read only for named ones: each costs. */
const mostAsked = 30;

interface AppsOptions {
  readonly target: Pick<Target, "callAws" | "stack">;
  readonly appIds: readonly string[];
  /** Lines of handled events, and their span. */
  readonly handled: readonly LogLine[];
  readonly spanMs: number;
  readonly nowMs: number;
  readonly recentLogs: Pick<RecentLogs, "hasHandled">;
}

/**
 * Changes nothing.
 * @throws AwsCallError
 */
export async function readAppStatus(options: AppsOptions): Promise<Status["apps"]> {
  const { target, appIds, handled, spanMs, nowMs } = options;
  const { callAws, stack } = target;
  const tableName = (await stack()).physicalId("LanesTable");
  const health = createHealthStore(createTable({ callAws, tableName, sortKey: "item" }), () => nowMs);
  const failures = appIds.length > mostAsked ? undefined : await readFailures(options);
  const byApp = Map.groupBy(handled, ({ fields }) => String(fields.appId));
  const statuses: Status["apps"] = [];
  for (const appId of appIds) {
    const { destinations, troubleUntil, pauses } = await health.read(appId);
    const lags = (byApp.get(appId) ?? [])
      .flatMap(({ fields: { sinceReceivedMs } }) =>
        typeof sinceReceivedMs === "number" ? [sinceReceivedMs] : [],
      )
      .toSorted((one, other) => one - other);
    statuses.push({
      appId,
      handledPerMinute: (lags.length * 60_000) / spanMs,
      medianMs: lags[Math.floor(lags.length / 2)],
      slowMs: lags[Math.floor(lags.length * 0.99)],
      ...failures?.get(appId),
      closed: [...destinations].flatMap(([name, { probeAt }]) => (probeAt === undefined ? [] : [name])),
      isInTrouble: troubleUntil > nowMs,
      paused: listPauses(pauses, nowMs).map(({ target: of }) =>
        "name" in of ? `${of.kind}:${of.name}` : of.kind,
      ),
    });
  }
  return statuses;
}

async function readFailures({ target: { callAws }, appIds, nowMs, recentLogs }: AppsOptions) {
  const asked = appIds.flatMap((appId) => failureMetrics.map((name) => ({ appId, name })));
  const queries = asked.map(({ appId, name }) => ({
    ...{ namespace: metricNamespace, name, dimensions: { appId } },
    stat: "Sum" as const,
  }));
  const span = { fromMs: nowMs - hourMs, toMs: nowMs };
  const series = asked.length === 0 ? [] : await readMetrics(callAws, queries, span);
  const found = new Map<string, { failures: Record<string, number>; failing: string[] }>();
  for (const appId of appIds) found.set(appId, { failures: {}, failing: [] });
  for (const [index, { appId, name }] of asked.entries()) {
    const counted = (series[index] ?? []).filter(([, value]) => value > 0);
    const ofApp = found.get(appId);
    if (counted.length === 0 || ofApp === undefined) continue;
    ofApp.failures[name] = counted.reduce((all, [, value]) => all + value, 0);
    const latest = Math.max(...counted.map(([minute]) => minute));
    const isOver = await recentLogs.hasHandled(appId, (latest + 60) * 1000);
    if (failingMetrics.some((one) => one === name) && !isOver) ofApp.failing.push(name);
  }
  return found;
}
