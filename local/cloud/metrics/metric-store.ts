import * as z from "zod/mini";
import { parseJson } from "../../../lib/base/json.ts";

export interface MetricName {
  readonly namespace: string;
  readonly name: string;
  readonly dimensions: Readonly<Record<string, string>>;
}

export type MetricStore = ReturnType<typeof createMetricStore>;

export interface MetricSpan {
  readonly startMs: number;
  readonly endMs: number;
  readonly periodMs: number;
}

/** @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_MetricDatum.html, `Timestamp` */
const oldestMs = 14 * 24 * 60 * 60_000;
const aheadMs = 2 * 60 * 60_000;
const minuteMs = 60_000;

export function createMetricStore(now: () => number) {
  const minutesOf = new Map<string, Map<number, Minute>>();
  const keep = (metric: MetricName, atMs: number, value: number) => {
    const series = seriesOf(metric);
    const minutes = minutesOf.get(series) ?? new Map();
    minutesOf.set(series, minutes);
    const minute = Math.floor(atMs / minuteMs) * minuteMs;
    const { sum, max } = minutes.get(minute) ?? { sum: 0, max: Number.NEGATIVE_INFINITY };
    minutes.set(minute, { sum: sum + value, max: Math.max(max, value) });
    for (const old of minutes.keys()) {
      if (old >= now() - oldestMs) break;
      minutes.delete(old);
    }
  };
  return {
    /** Ignores lines that are not in the embedded metric format. */
    readLine(line: string) {
      // Otherwise the line only quotes the format.
      if (!line.startsWith("{") || !line.includes('"_aws"')) return;
      const parsed = embeddedSchema.safeParse(parseJson(line));
      if (!parsed.success) return;
      const { _aws, ...members } = parsed.data;
      const { Timestamp: atMs } = _aws;
      if (atMs < now() - oldestMs || atMs > now() + aheadMs) return;
      for (const { Namespace: namespace, Dimensions, Metrics } of _aws.CloudWatchMetrics) {
        for (const names of Dimensions) {
          const dimensions = Object.fromEntries(names.map((name) => [name, String(members[name] ?? "")]));
          // CloudWatch drops a metric with an empty dimension.
          if (Object.values(dimensions).includes("")) continue;
          for (const { Name: name } of Metrics) {
            const value = members[name];
            if (typeof value !== "number") continue;
            keep({ namespace, name, dimensions }, atMs, value);
          }
        }
      }
    },
    add(metric: MetricName, value: number) {
      keep(metric, now(), value);
    },
    /** Returns each period with a value, newest first; starts in milliseconds. */
    read: (metric: MetricName, statistic: "Sum" | "Maximum", span: MetricSpan) =>
      byPeriod([...(minutesOf.get(seriesOf(metric)) ?? [])], statistic, span),
    clear() {
      minutesOf.clear();
    },
  };
}

interface Minute {
  readonly sum: number;
  readonly max: number;
}

function byPeriod(
  minutes: readonly (readonly [atMs: number, Minute])[],
  statistic: "Sum" | "Maximum",
  { startMs, endMs, periodMs }: MetricSpan,
) {
  const meant = minutes.filter(([atMs]) => atMs > startMs - minuteMs && atMs < endMs);
  const periods = Map.groupBy(meant, ([atMs]) => Math.floor(atMs / periodMs) * periodMs);
  return [...periods]
    .toSorted(([one], [other]) => other - one)
    .map(([period, ofPeriod]) => {
      const sum = ofPeriod.reduce((all, [, minute]) => all + minute.sum, 0);
      const max = Math.max(...ofPeriod.map(([, minute]) => minute.max));
      return [period, statistic === "Sum" ? sum : max] as const;
    });
}

const embeddedSchema = z.looseObject({
  _aws: z.object({
    Timestamp: z.number(),
    CloudWatchMetrics: z.array(
      z.object({
        Namespace: z.string(),
        Dimensions: z.array(z.array(z.string())),
        Metrics: z.array(z.object({ Name: z.string() })),
      }),
    ),
  }),
});

function seriesOf({ namespace, name, dimensions }: MetricName) {
  return JSON.stringify([namespace, name, Object.entries(dimensions).toSorted()]);
}
