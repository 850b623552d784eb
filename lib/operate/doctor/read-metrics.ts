import * as z from "zod/mini";
import type { AwsCaller } from "../../aws/aws-call.ts";

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

/**
 * Reads series by the minute, each as pairs of the minute's start in unix seconds and its value, in the order
 * of the queries. At most 500 series and a day. @throws AwsCallError
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_GetMetricData.html
 */
export async function readMetrics(
  callAws: AwsCaller,
  queries: readonly MetricQuery[],
  { fromMs, toMs }: MetricRange,
): Promise<readonly (readonly (readonly [minute: number, value: number])[])[]> {
  const answer = await callAws({
    service: "monitoring",
    target: "GraniteServiceVersion20100801.GetMetricData",
    input: {
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
          Period: 60,
          Stat: stat,
        },
      })),
    },
  });
  const { MetricDataResults } = answerSchema.parse(answer);
  return queries.map((_, index) => {
    const found = MetricDataResults.find(({ Id }) => Id === `m${index}`);
    return (found?.Timestamps ?? []).map((at, place) => [at, found?.Values[place] ?? 0] as const);
  });
}

const answerSchema = z.object({
  MetricDataResults: z.array(
    z.object({ Id: z.string(), Timestamps: z.array(z.number()), Values: z.array(z.number()) }),
  ),
});
