/** The CloudWatch namespace of everything this system counts. */
export const metricNamespace = "CometChatFunctions";

/** Counts one occurrence; metrics of one name and equal dimensions are added up. */
export type Count = (name: string, dimensions: Readonly<Record<string, string>>) => void;

/**
 * Makes a function that counts one occurrence in CloudWatch by writing a line in the embedded metric format:
 * no call, no permission, no library.
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 */
export function createCountMetric(write: (line: string) => void, now: () => number): Count {
  return (name, dimensions) =>
    write(
      JSON.stringify({
        _aws: {
          Timestamp: now(),
          CloudWatchMetrics: [
            {
              Namespace: metricNamespace,
              Dimensions: [Object.keys(dimensions)],
              Metrics: [{ Name: name, Unit: "Count" }],
            },
          ],
        },
        ...dimensions,
        [name]: 1,
      }),
    );
}
