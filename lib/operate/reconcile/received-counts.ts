import type { AwsCaller } from "../../aws/aws-call.ts";
import { type MetricSeries, oldestIn, readMetrics } from "../../aws/read-metrics.ts";
import { metricNamespace } from "../../base/count-metric.ts";
import { receivedAgainMetric, receivedDimensions, receivedMetric } from "../../handle/count-received.ts";

/** Of one hour of an app. */
export interface ReceivedCounts {
  /** At the first receive. */
  readonly received: number;
  /** Some of which may not have been counted. */
  readonly again: number;
}

export interface ReceivedMeter {
  /** By the hours' start in unix seconds. May be repeated. */
  countsOf(appId: string, hours: readonly number[]): Promise<ReadonlyMap<number, ReceivedCounts>>;
  /**
   * No message that still waited on the events queue at `at` (now or earlier) was sent before the returned
   * time; both in unix seconds.
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
 * From CloudWatch.
 * @throws AwsCallError, as both methods do, if CloudWatch does not answer
 */
export function createReceivedMeter({
  callAws,
  deployment,
  eventsQueueUrl,
}: ReceivedMeterOptions): ReceivedMeter {
  return {
    countsOf: async (appId, hours) => {
      const [first] = hours;
      const last = hours.at(-1);
      if (first === undefined || last === undefined) return new Map();
      const dimensions = receivedDimensions(deployment, appId);
      const [received, again] = await readMetrics(
        callAws,
        [receivedMetric, receivedAgainMetric].map((name) => {
          return { namespace: metricNamespace, name, dimensions, stat: "Sum" as const };
        }),
        { fromMs: first * 1000, toMs: (last + hourSeconds) * 1000 },
        hourSeconds,
      );
      const at = (series: MetricSeries | undefined, hour: number) =>
        series?.find(([start]) => start === hour)?.[1] ?? 0;
      return new Map(hours.map((hour) => [hour, { received: at(received, hour), again: at(again, hour) }]));
    },

    waitingSince: async (at) => {
      const range = { fromMs: (at - lookedAtSeconds) * 1000, toMs: at * 1000 };
      const [ages = []] = await readMetrics(callAws, [oldestIn(eventsQueueUrl)], range);
      const [newest] = ages.toSorted(([one], [other]) => other - one);
      if (newest === undefined) return at;
      const [minute, ageSeconds] = newest;
      return minute - ageSeconds;
    },
  };
}

const hourSeconds = 3_600;
/**
 * SQS publishes a value per minute, some minutes late, none for a queue unused for hours.
 * @see
 *   https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-available-cloudwatch-metrics.html
 */
const lookedAtSeconds = 1_800;
