import { createTable } from "../../lib/aws/create-table.ts";
import { readMetrics } from "../../lib/aws/read-metrics.ts";
import { metricNamespace } from "../../lib/base/count-metric.ts";
import { createHealthStore } from "../../lib/effects/health/health-store.ts";
import { listPauses } from "../../lib/queue/pauses/list-pauses.ts";
import type { Target } from "../target/target.ts";
import type { LogLine } from "./log-line.ts";

/** The state of an app, from logs, metrics and tables. */
export interface AppStatus {
  readonly appId: string;
  /** Events handled per minute in the last minutes; from a sample of lines if there are many. */
  readonly handledPerMinute: number;
  /** From receipt to the end of handling, in milliseconds; undefined if nothing was handled. */
  readonly medianMs: number | undefined;
  readonly slowMs: number | undefined;
  /** Failures of the last hour, by metric; undefined if not asked. */
  readonly failures: Readonly<Record<string, number>> | undefined;
  /** Destinations whose breaker is open after too many failures. */
  readonly closed: readonly string[];
  /** Has parked conversations, or had within the hour. */
  readonly isInTrouble: boolean;
  readonly paused: readonly string[];
}

/** Metrics by app alone that should be 0. */
const failureMetrics = [
  "DeliveryNotStored",
  "DeliveryQuarantined",
  "DeliveryTooLarge",
  "DeliveryUnauthorized",
  "ApiKeyRefused",
  "AppIdMismatch",
  "ScheduleFailed",
  "EventTooOld",
] as const;

/** For more apps, metrics are read only for named apps: each costs. */
const mostAsked = 30;

export interface AppsOptions {
  readonly target: Pick<Target, "callAws" | "stack">;
  readonly appIds: readonly string[];
  /** The consumer's lines of handled events, and the span that they cover. */
  readonly handled: readonly LogLine[];
  readonly spanMs: number;
  readonly nowMs: number;
}

/** Reads the state of apps. Changes nothing. @throws AwsCallError */
export async function readAppStatus(options: AppsOptions): Promise<readonly AppStatus[]> {
  const { target, appIds, handled, spanMs, nowMs } = options;
  const { callAws, stack } = target;
  const tableName = (await stack()).physicalId("LanesTable");
  const health = createHealthStore(createTable({ callAws, tableName, sortKey: "item" }), () => nowMs);
  const failures = appIds.length > mostAsked ? undefined : await readFailures(options);
  const byApp = Map.groupBy(handled, ({ fields }) => String(fields.appId));
  const statuses: AppStatus[] = [];
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
      failures: failures?.get(appId),
      closed: [...destinations].flatMap(([name, { probeAt }]) => (probeAt === undefined ? [] : [name])),
      isInTrouble: troubleUntil > nowMs,
      paused: listPauses(pauses, nowMs).map(({ target: of }) =>
        "name" in of ? `${of.kind}:${of.name}` : of.kind,
      ),
    });
  }
  return statuses;
}

async function readFailures({ target: { callAws }, appIds, nowMs }: AppsOptions) {
  const asked = appIds.flatMap((appId) => failureMetrics.map((name) => ({ appId, name })));
  const queries = asked.map(({ appId, name }) => ({
    ...{ namespace: metricNamespace, name, dimensions: { appId } },
    stat: "Sum" as const,
  }));
  const span = { fromMs: nowMs - hourMs, toMs: nowMs };
  const series = asked.length === 0 ? [] : await readMetrics(callAws, queries, span);
  const counted = asked.flatMap(({ appId, name }, index) => {
    const sum = (series[index] ?? []).reduce((all, [, value]) => all + value, 0);
    return sum > 0 ? [{ appId, name, sum }] : [];
  });
  return new Map(
    appIds.map((appId) => [
      appId,
      Object.fromEntries(counted.filter((one) => one.appId === appId).map(({ name, sum }) => [name, sum])),
    ]),
  );
}

const hourMs = 3_600_000;
