import * as z from "zod/mini";
import { unknownOperation } from "../aws-error.ts";
import { startAwsJsonServer } from "../aws-json-server.ts";
import { parseInput } from "../aws-operation.ts";
import type { LocalServer } from "../local-server.ts";
import type { MetricName, MetricStore } from "./metric-store.ts";

export interface MetricsEndpointOptions {
  readonly store: MetricStore;
  /** Undefined for an empty queue. */
  readonly oldestMessageAtMs: (queueName: string) => number | undefined;
  readonly now: () => number;
}

/**
 * Answers `GetMetricData`: functions' metrics, and the age of a queue's oldest message; no expressions or
 * pages. `DescribeAlarms` returns none.
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_GetMetricData.html
 */
export function startMetricsEndpoint(options: MetricsEndpointOptions): Promise<LocalServer> {
  return startAwsJsonServer({
    target: "GraniteServiceVersion20100801",
    version: "1.0",
    answer({ operation, input }) {
      if (operation === "DescribeAlarms") return { MetricAlarms: [], CompositeAlarms: [] };
      if (operation === "GetMetricData") return getMetricData(options, input);
      throw unknownOperation(operation);
    },
  });
}

const inputSchema = z
  .object({
    StartTime: z.number(),
    EndTime: z.number(),
    MetricDataQueries: z
      .array(
        z.object({
          Id: z.string().check(z.regex(/^[a-z][A-Za-z0-9_]*$/)),
          MetricStat: z.object({
            Metric: z.object({
              Namespace: z.string(),
              MetricName: z.string(),
              Dimensions: z.array(z.object({ Name: z.string(), Value: z.string() })),
            }),
            Period: z.number().check(z.multipleOf(60)),
            Stat: z.enum(["Sum", "Maximum"]),
          }),
        }),
      )
      .check(z.minLength(1), z.maxLength(500)),
  })
  .check(z.refine(({ StartTime, EndTime }) => StartTime < EndTime));

function getMetricData(options: MetricsEndpointOptions, input: unknown): object {
  const { StartTime, EndTime, MetricDataQueries } = parseInput("ValidationError", inputSchema, input);
  const MetricDataResults = MetricDataQueries.map(({ Id, MetricStat: { Metric, Period, Stat } }) => {
    const dimensions = Object.fromEntries(Metric.Dimensions.map(({ Name, Value }) => [Name, Value]));
    const metric = { namespace: Metric.Namespace, name: Metric.MetricName, dimensions };
    const span = { startMs: StartTime * 1000, endMs: EndTime * 1000, periodMs: Period * 1000 };
    const series =
      metric.namespace === "AWS/SQS" ? ofQueue(metric, options) : options.store.read(metric, Stat, span);
    return {
      Id,
      Label: metric.name,
      Timestamps: series.map(([atMs]) => atMs / 1000),
      Values: series.map(([, value]) => value),
      StatusCode: "Complete",
    };
  });
  return { MetricDataResults, Messages: [] };
}

/** Earlier ages are not stored. */
function ofQueue(
  { name, dimensions }: MetricName,
  { oldestMessageAtMs, now }: MetricsEndpointOptions,
): readonly (readonly [number, number])[] {
  if (name !== "ApproximateAgeOfOldestMessage") return [];
  const nowMs = now();
  const oldestMs = oldestMessageAtMs(dimensions.QueueName ?? "") ?? nowMs;
  return [[Math.floor(nowMs / 60_000) * 60_000, Math.max(0, Math.floor((nowMs - oldestMs) / 1000))]];
}
