import { hideSecrets } from "./known-secrets.ts";
import { toLogEntries } from "./log-value.ts";

export const metricNamespace = "CometChatFunctions";

/**
 * Counts, by default one. CloudWatch adds up metrics of one name and dimensions; `facts` are only logged.
 * Never throws.
 */
export type Count = (
  name: string,
  dimensions: Readonly<Record<string, string>>,
  facts?: Readonly<Record<string, string | number | undefined>>,
  counted?: Counted,
) => void;

export interface Counted {
  readonly value?: number;
  /** Milliseconds since 1970, at most two weeks ago or two hours ahead. Default: now. */
  readonly atMs?: number;
}

/** @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_Dimension.html */
const mostDimensions = 30;
const longestValue = 1024;

/**
 * Counts by a line in the embedded metric format, which needs no call, permission or library. It must reach
 * CloudWatch Logs unchanged.
 * @see
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 */
export function createCountMetric(write: (line: string) => void, now: () => number): Count {
  return (name, dimensions, facts = {}, { value = 1, atMs = now() } = {}) => {
    try {
      const entries = Object.entries(dimensions)
        .slice(0, mostDimensions)
        .map(([dimension, value]) => [dimension, toDimensionValue(value)] as const);
      const directive = {
        Namespace: metricNamespace,
        Dimensions: [entries.map(([dimension]) => dimension)],
        Metrics: [{ Name: name, Unit: "Count" }],
      };
      const metric = ["_aws", { Timestamp: atMs, CloudWatchMetrics: [directive] }] as const;
      const line = Object.fromEntries([...toLogEntries(facts), metric, ...entries, [name, value]]);
      write(JSON.stringify(line));
    } catch {
      // The work goes on.
    }
  };
}

/** CloudWatch drops a metric whose dimension is empty, too long or not ASCII. */
function toDimensionValue(value: string): string {
  const ascii = hideSecrets(String(value))
    .slice(0, longestValue)
    .replace(/[^\x20-\x7e]/g, "?");
  return ascii.trim() ? ascii : "none";
}
