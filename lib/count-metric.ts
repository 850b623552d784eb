/** The CloudWatch namespace of everything this system counts. */
export const metricNamespace = "CometChatFunctions";

/** Counts occurrences, one unless told otherwise; metrics of one name and equal dimensions are added up. */
export type Count = (name: string, dimensions: Readonly<Record<string, string>>, counted?: Counted) => void;

/** How many occurrences, and when. */
export interface Counted {
  /** Default: 1. */
  readonly value?: number;
  /** Milliseconds since 1970, at most two weeks ago and two hours ahead. Default: now. */
  readonly atMs?: number;
}

/**
 * Makes a function that counts in CloudWatch by writing a line in the embedded metric format:
 * no call, no permission, no library.
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 */
export function createCountMetric(write: (line: string) => void, now: () => number): Count {
  return (name, dimensions, { value = 1, atMs = now() } = {}) =>
    write(
      JSON.stringify({
        _aws: {
          Timestamp: atMs,
          CloudWatchMetrics: [
            {
              Namespace: metricNamespace,
              Dimensions: [Object.keys(dimensions)],
              Metrics: [{ Name: name, Unit: "Count" }],
            },
          ],
        },
        ...dimensions,
        [name]: value,
      }),
    );
}
