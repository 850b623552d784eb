import { oldestIn, readMetrics } from "../../lib/aws/read-metrics.ts";
import { metricNamespace } from "../../lib/base/count-metric.ts";
import { readQueueCounts } from "../repair/queue-depth.ts";
import type { Stack } from "../target/stack.ts";
import type { Target } from "../target/target.ts";

export interface QueueStatus {
  readonly queue: string;
  readonly waiting: number;
  readonly taken: number;
  /** Age of the oldest message in seconds, some minutes late; undefined if CloudWatch has no figure. */
  readonly oldestSeconds: number | undefined;
}

/** One function in the last hour. */
export interface FunctionStatus {
  readonly function: string;
  readonly invocations: number;
  readonly errors: number;
  readonly throttles: number;
  readonly averageMs: number | undefined;
  readonly longestMs: number | undefined;
}

/** The queues by their content. */
const queues = {
  events: "EventsQueue",
  "parked lanes": "ParkedLanesQueue",
  calls: "CallsQueue",
  "dead letters": "DeadLetterQueue",
  quarantine: "QuarantineQueue",
} as const;

/** SQS has a figure for each minute, some minutes late. */
const lookedAtMs = 900_000;
const hourMs = 3_600_000;

/** Reads the queues. Changes nothing. @throws AwsCallError */
export async function readQueueStatus(
  { callAws }: Pick<Target, "callAws">,
  { physicalId }: Stack,
  nowMs: number,
): Promise<readonly QueueStatus[]> {
  const known = Object.entries(queues).map(([queue, logicalId]) => ({ queue, url: physicalId(logicalId) }));
  const ages = await readMetrics(
    callAws,
    known.map(({ url }) => oldestIn(url)),
    { fromMs: nowMs - lookedAtMs, toMs: nowMs },
  );
  return Promise.all(
    known.map(async ({ queue, url }, index) => {
      const { waiting, taken } = await readQueueCounts(callAws, url);
      const [newest] = (ages[index] ?? []).toSorted(([one], [other]) => other - one);
      return { queue, waiting, taken, oldestSeconds: newest?.[1] };
    }),
  );
}

/**
 * Reads Lambda's metrics of the last hour. Changes nothing.
 * @throws AwsCallError
 * @see https://docs.aws.amazon.com/lambda/latest/dg/monitoring-metrics-types.html
 */
export async function readFunctionStatus(
  { callAws }: Pick<Target, "callAws">,
  { name, resources }: Stack,
  nowMs: number,
): Promise<readonly FunctionStatus[]> {
  const functions = [...resources.values()].filter(({ type }) => type === "AWS::Lambda::Function");
  const asked = functions.flatMap(({ physicalId }) =>
    measures.map(([metric, stat]) => ({
      ...{ namespace: "AWS/Lambda", name: metric, dimensions: { FunctionName: physicalId } },
      stat,
    })),
  );
  const series = await readMetrics(callAws, asked, { fromMs: nowMs - hourMs, toMs: nowMs });
  return functions
    .map(({ physicalId }, index) => {
      const valuesOf = (place: number) =>
        (series[index * measures.length + place] ?? []).map(([, value]) => value);
      const sumOf = (place: number) => valuesOf(place).reduce((all, value) => all + value, 0);
      const invocations = sumOf(0);
      return {
        function: physicalId.startsWith(`${name}-`) ? physicalId.slice(name.length + 1) : physicalId,
        ...{ invocations, errors: sumOf(1), throttles: sumOf(2) },
        averageMs: invocations === 0 ? undefined : sumOf(3) / invocations,
        longestMs: invocations === 0 ? undefined : Math.max(...valuesOf(4)),
      };
    })
    .toSorted(
      (one, other) => other.invocations - one.invocations || one.function.localeCompare(other.function),
    );
}

/** The scheduled doctor's last result within the hour; undefined if it did not run. @throws AwsCallError */
export async function readLastDoctor(
  { callAws }: Pick<Target, "callAws">,
  { output }: Stack,
  nowMs: number,
): Promise<{ readonly at: string; readonly failed: number } | undefined> {
  const metric = { namespace: metricNamespace, name: "DoctorFailed", stat: "Maximum" } as const;
  const dimensions = { deployment: output("SecretPrefix") };
  const [series = []] = await readMetrics(callAws, [{ ...metric, dimensions }], {
    fromMs: nowMs - hourMs,
    toMs: nowMs,
  });
  const [newest] = series.toSorted(([one], [other]) => other - one);
  return newest && { at: new Date(newest[0] * 1000).toISOString(), failed: newest[1] };
}

const measures = [
  ["Invocations", "Sum"],
  ["Errors", "Sum"],
  ["Throttles", "Sum"],
  ["Duration", "Sum"],
  ["Duration", "Maximum"],
] as const;
