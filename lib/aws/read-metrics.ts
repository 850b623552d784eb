import * as z from "zod/mini";
import { type AwsCall, AwsCallError, type AwsCaller } from "./aws-call.ts";

export interface MetricQuery {
  readonly namespace: string;
  readonly name: string;
  readonly dimensions: Readonly<Record<string, string>>;
  readonly stat: "Sum" | "Maximum";
}

/** Times in milliseconds since 1970. */
export interface MetricRange {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Pairs of a period's start in unix seconds and its value. */
export type MetricSeries = readonly (readonly [start: number, value: number])[];

/**
 * Reads series in the order of the queries, at most 500, and a day of minutes.
 * @param periodSeconds default: a minute
 * @throws AwsCallError also if AWS answers 200 without a series, which would count as zeros
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_GetMetricData.html
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_MetricDataResult.html
 */
export async function readMetrics(
  callAws: AwsCaller,
  queries: readonly MetricQuery[],
  { fromMs, toMs }: MetricRange,
  periodSeconds = 60,
): Promise<readonly MetricSeries[]> {
  const input = {
    StartTime: Math.floor(fromMs / 1000),
    EndTime: Math.ceil(toMs / 1000),
    MetricDataQueries: queries.map(({ namespace, name, dimensions, stat }, index) => ({
      Id: `m${index}`,
      MetricStat: {
        Metric: {
          Namespace: namespace,
          MetricName: name,
          Dimensions: Object.entries(dimensions).map(([Name, Value]) => ({ Name, Value })),
        },
        Period: periodSeconds,
        Stat: stat,
      },
    })),
  };
  const series = queries.map((): [number, number][] => []);
  let NextToken: string | undefined;
  do {
    const call: AwsCall = {
      service: "monitoring",
      target: "GraniteServiceVersion20100801.GetMetricData",
      input: { ...input, ...(NextToken !== undefined && { NextToken }) },
    };
    const page = answerSchema.parse(await callAws(call));
    NextToken = page.NextToken || undefined;
    for (const { Id, StatusCode: code, Timestamps, Values } of page.MetricDataResults) {
      const isMoreToCome = code === "PartialData" && NextToken !== undefined;
      if (code !== "Complete" && !isMoreToCome) throw new AwsCallError(call, { code, maybeExecuted: true });
      for (const [index, at] of Timestamps.entries())
        series[Number(Id.slice(1))]?.push([at, Values[index] ?? 0]);
    }
  } while (NextToken !== undefined);
  return series;
}

/**
 * Returns the latest minute and, in seconds, the age of the oldest message then. SQS publishes a value per
 * minute, some minutes late, and none for a queue unused for hours.
 * @see
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-available-cloudwatch-metrics.html
 */
export async function readOldest(
  callAws: AwsCaller,
  queueUrl: string,
  toMs: number,
  spanMs = 900_000,
): Promise<MetricSeries[number] | undefined> {
  const query: MetricQuery = {
    namespace: "AWS/SQS",
    name: "ApproximateAgeOfOldestMessage",
    dimensions: { QueueName: queueUrl.slice(queueUrl.lastIndexOf("/") + 1) },
    stat: "Maximum",
  };
  const [ages = []] = await readMetrics(callAws, [query], { fromMs: toMs - spanMs, toMs });
  return newestIn(ages);
}

export function sumOf(series: MetricSeries): number {
  return series.reduce((sum, [, value]) => sum + value, 0);
}

export function newestIn(series: MetricSeries): MetricSeries[number] | undefined {
  return series.toSorted(([one], [other]) => other - one)[0];
}

/** Returns the latest value above 0. */
export function latestIn(series: MetricSeries): MetricSeries[number] | undefined {
  return newestIn(series.filter(([, value]) => value > 0));
}

const answerSchema = z.object({
  MetricDataResults: z.array(
    z.object({
      Id: z.string(),
      StatusCode: z._default(z.string(), "Complete"),
      Timestamps: z.array(z.number()),
      Values: z.array(z.number()),
    }),
  ),
  NextToken: z.optional(z.string()),
});
