import type { ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import * as z from "zod/mini";
import { startLocalServer } from "../local-server.ts";
import type { MetricName, MetricStore } from "./metric-store.ts";

export interface MetricsEndpoint {
  readonly url: string;
  close(): Promise<void>;
}

export interface MetricsEndpointOptions {
  readonly store: MetricStore;
  /** Gives since when the oldest message of a queue has been there, in milliseconds; undefined when it is empty. */
  readonly oldestMessageAtMs: (queueName: string) => number | undefined;
  readonly now: () => number;
}

/**
 * Starts CloudWatch's `GetMetricData` (AWS JSON 1.0 protocol) on a free port of 127.0.0.1: metrics that functions write
 * into their log, at once and not after a minute or two, and of SQS the age of a queue's oldest message. Expressions,
 * pages and rights have no meaning here.
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_GetMetricData.html
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_DescribeAlarms.html
 */
export async function startMetricsEndpoint(options: MetricsEndpointOptions): Promise<MetricsEndpoint> {
  const server = await startLocalServer(async (request, response) => {
    const body = await text(request);
    // Nothing here makes alarms ring.
    if (request.headers["x-amz-target"] === "GraniteServiceVersion20100801.DescribeAlarms") {
      return answer(response, 200, { MetricAlarms: [], CompositeAlarms: [] });
    }
    if (request.headers["x-amz-target"] !== "GraniteServiceVersion20100801.GetMetricData") {
      return answer(response, 400, { __type: "UnknownOperationException" });
    }
    const input = inputSchema.safeParse(parseBody(body));
    if (!input.success || input.data.StartTime >= input.data.EndTime) {
      return answer(response, 400, { __type: "ValidationError" });
    }
    answer(response, 200, {
      MetricDataResults: input.data.MetricDataQueries.map(toResult(input.data)),
      Messages: [],
    });
  });

  const toResult =
    ({ StartTime, EndTime }: Input) =>
    ({ Id, MetricStat }: Input["MetricDataQueries"][number]) => {
      const { Metric, Period, Stat } = MetricStat;
      const dimensions = Object.fromEntries(Metric.Dimensions.map(({ Name, Value }) => [Name, Value]));
      const metric = { namespace: Metric.Namespace, name: Metric.MetricName, dimensions };
      const span = { startMs: StartTime * 1000, endMs: EndTime * 1000, periodMs: Period * 1000 };
      const series =
        metric.namespace === "AWS/SQS" ? ofQueue(metric, options) : options.store.read(metric, Stat, span);
      return {
        Id,
        Label: Metric.MetricName,
        Timestamps: series.map(([atMs]) => atMs / 1000),
        Values: series.map(([, value]) => value),
        StatusCode: "Complete",
      };
    };

  return { url: server.url, close: () => server.close() };
}

/** The newest minute alone: how old the oldest message was before is not kept. */
function ofQueue(
  { name, dimensions }: MetricName,
  { oldestMessageAtMs, now }: MetricsEndpointOptions,
): readonly (readonly [number, number])[] {
  const { QueueName = "" } = dimensions;
  if (name !== "ApproximateAgeOfOldestMessage") return [];
  const minuteMs = Math.floor(now() / 60_000) * 60_000;
  const oldest = oldestMessageAtMs(QueueName);
  return [[minuteMs, oldest === undefined ? 0 : Math.max(0, Math.floor((now() - oldest) / 1000))]];
}

const inputSchema = z.object({
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
          Stat: z.enum(["Sum", "Maximum", "Minimum", "SampleCount", "Average"]),
        }),
      }),
    )
    .check(z.minLength(1), z.maxLength(500)),
});

type Input = z.infer<typeof inputSchema>;

function parseBody(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/x-amz-json-1.0" }).end(JSON.stringify(body));
}
