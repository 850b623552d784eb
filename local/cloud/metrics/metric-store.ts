import * as z from "zod/mini";

/** One value of a metric. */
interface DataPoint {
  readonly series: string;
  /** Milliseconds since 1970. */
  readonly atMs: number;
  readonly value: number;
}

/** What a metric is called by. */
export interface MetricName {
  readonly namespace: string;
  readonly name: string;
  readonly dimensions: Readonly<Record<string, string>>;
}

export type Statistic = "Sum" | "Maximum" | "Minimum" | "SampleCount" | "Average";

/** What CloudWatch knows of metrics. */
export interface MetricStore {
  /** Takes a line of a function's log; one in the embedded metric format counts, all others are none of its business. */
  readLine(line: string): void;
  /** Takes a value that AWS itself measured now. */
  add(metric: MetricName, value: number): void;
  /** Gives one value for each period that has any, by the period's beginning in milliseconds, newest first. */
  read(metric: MetricName, statistic: Statistic, span: MetricSpan): readonly (readonly [number, number])[];
  /** Forgets everything. */
  clear(): void;
}

/** From `startMs` on, and before `endMs`. */
export interface MetricSpan {
  readonly startMs: number;
  readonly endMs: number;
  readonly periodMs: number;
}

/** @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_MetricDatum.html, `Timestamp` */
const oldestMs = 14 * 24 * 60 * 60_000;
const aheadMs = 2 * 60 * 60_000;

/**
 * Keeps metrics as functions write them to their log.
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 */
export function createMetricStore(now: () => number): MetricStore {
  let points: DataPoint[] = [];
  return {
    readLine: (line) => {
      // A line that only quotes the format, or stands behind a prefix, is no metric.
      if (!line.startsWith("{") || !line.includes('"_aws"')) return;
      const parsed = embeddedSchema.safeParse(parseLine(line));
      if (!parsed.success) return;
      const { _aws, ...members } = parsed.data;
      const { Timestamp: atMs } = _aws;
      if (atMs < now() - oldestMs || atMs > now() + aheadMs) return;
      for (const { Namespace, Dimensions, Metrics } of _aws.CloudWatchMetrics) {
        for (const names of Dimensions) {
          const dimensions = Object.fromEntries(names.map((name) => [name, String(members[name] ?? "")]));
          // An empty dimension costs CloudWatch the metric.
          if (Object.values(dimensions).includes("")) continue;
          for (const { Name } of Metrics) {
            const value = members[Name];
            const series = seriesOf({ namespace: Namespace, name: Name, dimensions });
            if (typeof value === "number") points.push({ series, atMs, value });
          }
        }
      }
    },
    add: (metric, value) => {
      points.push({ series: seriesOf(metric), atMs: now(), value });
    },
    read: (metric, statistic, { startMs, endMs, periodMs }) => {
      const series = seriesOf(metric);
      const meant = points.filter(
        (point) => point.series === series && point.atMs >= startMs && point.atMs < endMs,
      );
      const periods = Map.groupBy(meant, ({ atMs }) => Math.floor(atMs / periodMs) * periodMs);
      return [...periods]
        .toSorted(([one], [other]) => other - one)
        .map(([period, ofPeriod]) => [period, toStatistic(statistic, ofPeriod)] as const);
    },
    clear: () => {
      points = [];
    },
  };
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

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function seriesOf({ namespace, name, dimensions }: MetricName): string {
  return JSON.stringify([namespace, name, Object.entries(dimensions).toSorted()]);
}

function toStatistic(statistic: Statistic, points: readonly DataPoint[]): number {
  const values = points.map(({ value }) => value);
  const sum = values.reduce((all, value) => all + value, 0);
  switch (statistic) {
    case "Sum":
      return sum;
    case "Maximum":
      return Math.max(...values);
    case "Minimum":
      return Math.min(...values);
    case "SampleCount":
      return values.length;
    case "Average":
      return sum / values.length;
  }
}
