import type { Resources, Watched } from "./alarm-resources.ts";
import type { AlarmDefinitions } from "./alarm-schema.ts";

/**
 * CloudFormation substitutes the names.
 * @see
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/CloudWatch-Dashboard-Body-Structure.html
 */
export function makeDashboard(definitions: AlarmDefinitions, { name, functions }: Watched): Resources {
  const counted = Object.values(definitions).flatMap(({ of }) => ("counted" in of ? [of.counted] : []));
  const ofQueues = (metric: string, queues: readonly string[]) =>
    queues.map((queue) => ["AWS/SQS", metric, "QueueName", `\${${queue}.QueueName}`, { label: queue }]);
  const ofFunctions = (metric: string) =>
    functions.map(({ key, logicalId }) => [
      "AWS/Lambda",
      metric,
      "FunctionName",
      `\${${logicalId}}`,
      { label: key },
    ]);
  const ofApi = (metrics: readonly string[]) =>
    metrics.map((metric) => ["AWS/ApiGateway", metric, "ApiId", `\${HttpApi}`]);
  const waiting = ["EventsQueue", "CallsQueue", "ParkedLanesQueue"];
  const graphs: readonly Graph[] = [
    ["Requests and those answered 4xx and 5xx", "Sum", ofApi(["Count", "4xx", "5xx"])],
    ["Milliseconds until an answer, 99 %", "p99", ofApi(["Latency"])],
    ["Events that wait", "Maximum", ofQueues("ApproximateNumberOfMessagesVisible", waiting)],
    ["Seconds that the oldest waits", "Maximum", ofQueues("ApproximateAgeOfOldestMessage", waiting)],
    [
      "Dead letters and quarantine",
      "Maximum",
      ofQueues("ApproximateNumberOfMessagesVisible", ["DeadLetterQueue", "QuarantineQueue"]),
    ],
    ["What went wrong, all apps together", "Sum", counted.map((metric) => [name, metric])],
    ["Functions: errors", "Sum", ofFunctions("Errors")],
    ["Functions: throttles", "Sum", ofFunctions("Throttles")],
    ["Functions: concurrent executions", "Maximum", ofFunctions("ConcurrentExecutions")],
    ["Functions: milliseconds, 99 %", "p99", ofFunctions("Duration")],
  ];
  const body = { widgets: graphs.map(toWidget) };
  return {
    Dashboard: {
      Type: "AWS::CloudWatch::Dashboard",
      Properties: {
        // Names of dashboards belong to the account, not a region.
        DashboardName: { "Fn::Sub": `${name}-\${AWS::Region}` },
        DashboardBody: { "Fn::Sub": JSON.stringify(body) },
      },
    },
  };
}

type Graph = readonly [title: string, stat: string, metrics: readonly unknown[]];

/** The grid has 24 columns. */
function toWidget([title, stat, metrics]: Graph, index: number): object {
  return {
    type: "metric",
    x: (index % 2) * 12,
    y: Math.floor(index / 2) * 6,
    width: 12,
    height: 6,
    properties: { title, stat, metrics, period: 300, region: `\${AWS::Region}`, view: "timeSeries" },
  };
}
