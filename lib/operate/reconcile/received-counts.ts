import * as z from "zod/mini";
import type { AwsCaller } from "../../aws/aws-call.ts";
import { metricNamespace } from "../../base/count-metric.ts";
import { receivedAgainMetric, receivedDimensions, receivedMetric } from "../../handle/count-received.ts";

/** The metrics of one hour of an app. */
export interface ReceivedCounts {
  /** Messages counted at their first receive. */
  readonly received: number;
  /** Messages received again, some of which may not have been counted. */
  readonly again: number;
}

export interface ReceivedMeter {
  /** Returns the counts of whole hours by their start in unix seconds. May be repeated. */
  countsOf(appId: string, hours: readonly number[]): Promise<ReadonlyMap<number, ReceivedCounts>>;
  /**
   * Returns a time before which no message was sent to the events queue that still waited there at `at`,
   * which is now or earlier; both in unix seconds.
   */
  waitingSince(at: number): Promise<number>;
}

export interface ReceivedMeterOptions {
  readonly callAws: AwsCaller;
  /** As the consumer counts. */
  readonly deployment: string;
  readonly eventsQueueUrl: string;
}

/**
 * Reads the counts from CloudWatch by its JSON protocol.
 * @throws AwsCallError, as both methods do, if CloudWatch does not answer
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_GetMetricData.html
 */
export function createReceivedMeter({
  callAws,
  deployment,
  eventsQueueUrl,
}: ReceivedMeterOptions): ReceivedMeter {
  const seriesOf = async (queries: readonly Query[], from: number, to: number) => {
    const found = new Map<string, Map<number, number>>();
    let NextToken: string | undefined;
    do {
      const answer = await callAws({
        service: "monitoring",
        target: "GraniteServiceVersion20100801.GetMetricData",
        input: {
          StartTime: from,
          EndTime: to,
          MetricDataQueries: queries,
          ...(NextToken !== undefined && { NextToken }),
        },
      });
      const parsed = answerSchema.parse(answer);
      for (const { Id, Timestamps, Values } of parsed.MetricDataResults) {
        const values = found.get(Id) ?? new Map<number, number>();
        for (const [index, timestamp] of Timestamps.entries()) values.set(timestamp, Values[index] ?? 0);
        found.set(Id, values);
      }
      NextToken = parsed.NextToken || undefined;
    } while (NextToken !== undefined);
    return found;
  };

  return {
    countsOf: async (appId, hours) => {
      const [first] = hours;
      const last = hours.at(-1);
      if (first === undefined || last === undefined) return new Map();
      const dimensions = receivedDimensions(deployment, appId);
      const own = { namespace: metricNamespace, dimensions, stat: "Sum", period: hourSeconds };
      const found = await seriesOf(
        [
          toQuery("received", { ...own, name: receivedMetric }),
          toQuery("again", { ...own, name: receivedAgainMetric }),
        ],
        first,
        last + hourSeconds,
      );
      const sumOf = (id: string, hour: number) => found.get(id)?.get(hour) ?? 0;
      return new Map(
        hours.map((hour) => [hour, { received: sumOf("received", hour), again: sumOf("again", hour) }]),
      );
    },

    waitingSince: async (at) => {
      const oldest = toQuery("oldest", {
        namespace: "AWS/SQS",
        name: "ApproximateAgeOfOldestMessage",
        dimensions: { QueueName: eventsQueueUrl.slice(eventsQueueUrl.lastIndexOf("/") + 1) },
        stat: "Maximum",
        period: minuteSeconds,
      });
      const found = await seriesOf([oldest], at - lookedAtSeconds, at);
      const [newest] = [...(found.get("oldest") ?? [])].toSorted(([one], [other]) => other - one);
      if (newest === undefined) return at;
      const [minute, ageSeconds] = newest;
      return minute - ageSeconds;
    },
  };
}

const hourSeconds = 3_600;
const minuteSeconds = 60;
/**
 * SQS publishes a value per minute, some minutes late, and none for a queue that was unused for hours.
 * @see
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-available-cloudwatch-metrics.html
 */
const lookedAtSeconds = 1_800;

type Query = ReturnType<typeof toQuery>;

function toQuery(
  Id: string,
  metric: {
    namespace: string;
    name: string;
    dimensions: Readonly<Record<string, string>>;
    stat: string;
    period: number;
  },
) {
  const { namespace, name, dimensions, stat, period } = metric;
  const Dimensions = Object.entries(dimensions).map(([Name, Value]) => ({ Name, Value }));
  const Metric = { Namespace: namespace, MetricName: name, Dimensions };
  return { Id, MetricStat: { Metric, Period: period, Stat: stat } };
}

/** Times are unix seconds, in requests and responses. */
const answerSchema = z.object({
  MetricDataResults: z.array(
    z.object({ Id: z.string(), Timestamps: z.array(z.number()), Values: z.array(z.number()) }),
  ),
  NextToken: z.optional(z.string()),
});
