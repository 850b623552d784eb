import { hideSecrets } from "./known-secrets.ts";

/** The CloudWatch namespace of everything this system counts. */
export const metricNamespace = "CometChatFunctions";

/**
 * Counts one occurrence; metrics of one name and equal dimensions are added up. Facts stand in the line beside the
 * metric and are no part of it. Never throws.
 */
export type Count = (
  name: string,
  dimensions: Readonly<Record<string, string>>,
  facts?: Readonly<Record<string, string | number | undefined>>,
) => void;

/** @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_Dimension.html */
const mostDimensions = 30;
const longestValue = 1024;

/**
 * Makes a function that counts one occurrence in CloudWatch by writing a line in the embedded metric format:
 * no call, no permission, no library. The line must reach CloudWatch Logs as it is, nothing before or around it.
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 */
export function createCountMetric(write: (line: string) => void, now: () => number): Count {
  return (name, dimensions, facts = {}) => {
    try {
      const entries = Object.entries(dimensions)
        .slice(0, mostDimensions)
        .map(([dimension, value]) => [dimension, toDimensionValue(value)] as const);
      const directive = {
        Namespace: metricNamespace,
        Dimensions: [entries.map(([dimension]) => dimension)],
        Metrics: [{ Name: name, Unit: "Count" }],
      };
      write(
        JSON.stringify({
          _aws: { Timestamp: now(), CloudWatchMetrics: [directive] },
          ...facts,
          ...Object.fromEntries(entries),
          [name]: 1,
        }),
      );
    } catch {
      // A count that cannot be written must not stop the work that it counts.
    }
  };
}

/** CloudWatch drops a metric for a value that is empty, too long, or not ASCII. */
function toDimensionValue(value: string): string {
  const ascii = hideSecrets(String(value))
    .slice(0, longestValue)
    .replace(/[^\x20-\x7e]/g, "?");
  return ascii.trim() === "" ? "none" : ascii;
}
