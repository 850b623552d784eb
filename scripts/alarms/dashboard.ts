import type { AlarmDefinitions } from "./alarm-definitions.ts";
import type { Resources, Watched } from "./alarm-resources.ts";

/**
 * Makes the deployment's dashboard: what comes in, what waits, what is counted, what the functions do. Its body is a text in
 * which CloudFormation puts the names.
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/CloudWatch-Dashboard-Body-Structure.html
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
  const graphs: readonly Graph[] = [
    {
      title: "Requests and those answered 4xx and 5xx",
      stat: "Sum",
      metrics: ofApi(["Count", "4xx", "5xx"]),
    },
    { title: "Milliseconds until an answer, 99 %", stat: "p99", metrics: ofApi(["Latency"]) },
    {
      title: "Events that wait",
      stat: "Maximum",
      metrics: ofQueues("ApproximateNumberOfMessagesVisible", [
        "EventsQueue",
        "CallsQueue",
        "ParkedLanesQueue",
      ]),
    },
    {
      title: "Seconds that the oldest waits",
      stat: "Maximum",
      metrics: ofQueues("ApproximateAgeOfOldestMessage", ["EventsQueue", "CallsQueue", "ParkedLanesQueue"]),
    },
    {
      title: "Dead letters and quarantine",
      stat: "Maximum",
      metrics: ofQueues("ApproximateNumberOfMessagesVisible", ["DeadLetterQueue", "QuarantineQueue"]),
    },
    {
      title: "What went wrong, all apps together",
      stat: "Sum",
      metrics: counted.map((metric) => [name, metric]),
    },
    { title: "Functions: errors", stat: "Sum", metrics: ofFunctions("Errors") },
    { title: "Functions: throttles", stat: "Sum", metrics: ofFunctions("Throttles") },
    { title: "Functions: at once", stat: "Maximum", metrics: ofFunctions("ConcurrentExecutions") },
    { title: "Functions: milliseconds, 99 %", stat: "p99", metrics: ofFunctions("Duration") },
  ];
  const body = { widgets: graphs.map(toWidget) };
  return {
    Dashboard: {
      Type: "AWS::CloudWatch::Dashboard",
      Properties: { DashboardName: name, DashboardBody: { "Fn::Sub": JSON.stringify(body) } },
    },
  };
}

interface Graph {
  readonly title: string;
  readonly stat: string;
  readonly metrics: readonly unknown[];
}

/** Two beside each other, in a grid of 24. */
function toWidget({ title, stat, metrics }: Graph, index: number): object {
  return {
    type: "metric",
    ...{ x: (index % 2) * 12, y: Math.floor(index / 2) * 6, width: 12, height: 6 },
    properties: { title, stat, metrics, period: 300, region: `\${AWS::Region}`, view: "timeSeries" },
  };
}
