import { hintAt } from "../nearest-name.ts";
import type { AlarmDefinition, AlarmDefinitions } from "./alarm-schema.ts";
import type { AlarmSettings } from "./alarm-settings.ts";

export type Resources = Record<string, { readonly Type: string; readonly Properties: object }>;

export interface Watched {
  /** Prefix of every resource's name, and namespace of the metrics. */
  readonly name: string;
  readonly stage: string;
  readonly functions: readonly {
    readonly key: string;
    readonly logicalId: string;
    readonly logGroupId: string;
  }[];
}

/** @throws Error if a setting names no alarm, or an alarm names no function */
export function makeAlarms(
  definitions: AlarmDefinitions,
  settings: AlarmSettings,
  watched: Watched,
): Resources {
  const { without = [], above = {} } = settings;
  const names = Object.keys(definitions);
  const mistakes = [...Object.keys(above), ...(without === "all" ? [] : without)]
    .filter((name) => !names.includes(name))
    .map(
      (name) =>
        `config/alarms.yml names the alarm "${name}"${hintAt(name, names) || "; there are no alarms"}.`,
    );
  if (mistakes.length > 0) throw new Error(mistakes.join("\n"));
  const chosen = without === "all" ? [] : names.filter((name) => !without.includes(name));
  const resources: Resources = { [topicId]: makeTopic(settings, watched) };
  for (const name of chosen) {
    const definition = definitions[name];
    if (definition === undefined || ("in" in definition.of && definition.of.in?.length === 0)) continue;
    const limited = { ...definition, above: above[name] ?? definition.above };
    Object.assign(resources, makeFilters(definition, watched), makeAlarm(name, limited, watched));
  }
  return resources;
}

export const topicId = "AlarmTopic";

function makeTopic({ notify }: AlarmSettings, { name }: Watched) {
  const Subscription = notify.map((Endpoint) => ({
    Protocol: Endpoint.startsWith("https:") ? "https" : "email",
    Endpoint,
  }));
  return { Type: "AWS::SNS::Topic", Properties: { TopicName: `${name}-alarms`, Subscription } };
}

/**
 * An alarm watches one metric, and functions count by app: log filters add up apps. Lines are JSON in both
 * log formats.
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/FilterAndPatternSyntaxForMetricFilters.html
 */
function makeFilters({ of }: AlarmDefinition, { name, functions }: Watched) {
  if ("refused" in of) {
    const isRoute = of.refused.map((path) => `$.routeKey = "*/${path}/*"`).join(" || ");
    return {
      [`${refusedMetric}Filter`]: {
        Type: "AWS::Logs::MetricFilter",
        Properties: {
          LogGroupName: { Ref: "HttpApiLogGroup" },
          FilterPattern: `{ $.status = "429" && (${isRoute}) }`,
          MetricTransformations: [{ MetricNamespace: name, MetricName: refusedMetric, MetricValue: "1" }],
        },
      },
    };
  }
  if (!("counted" in of)) return {};
  const { counted, in: keys } = of;
  return Object.fromEntries(
    chooseFunctions(functions, counted, keys).map(({ logicalId, logGroupId }) => [
      `${logicalId.replace(/LambdaFunction$/, "")}${counted}Filter`,
      {
        Type: "AWS::Logs::MetricFilter",
        Properties: {
          LogGroupName: { Ref: logGroupId },
          // Zeros, too: alarms pass over periods without data.
          FilterPattern: `{ $.${counted} >= 0 }`,
          MetricTransformations: [
            { MetricNamespace: name, MetricName: counted, MetricValue: `$.${counted}` },
          ],
        },
      },
    ]),
  );
}

const refusedMetric = "RequestRefusedByLimit";

/** @throws Error if it names no function */
function chooseFunctions(
  functions: Watched["functions"],
  metric: string,
  keys: readonly string[] | undefined,
) {
  const unknown = keys?.find((key) => !functions.some((one) => one.key === key));
  if (unknown !== undefined) {
    throw new Error(
      `infrastructure/alarms.yml counts ${metric} in ${unknown}, and there is no such function.`,
    );
  }
  return functions.filter(({ key }) => keys === undefined || keys.includes(key));
}

function makeAlarm(key: string, definition: AlarmDefinition, watched: Watched): Resources {
  const { of, minutes } = definition;
  const { name, functions } = watched;
  const Period = minutes * 60;
  const alarm = (end: string, about: object, whose = "", properties: object = {}) => ({
    [`${toPascalCase(key)}${toPascalCase(end)}Alarm`]: {
      Type: "AWS::CloudWatch::Alarm",
      Properties: {
        AlarmName: end === "" ? `${name}-${key}` : `${name}-${key}-${end}`,
        AlarmDescription: describe(key, definition, watched, whose),
        ...about,
        EvaluationPeriods: definition.times,
        Threshold: definition.above,
        ComparisonOperator: "GreaterThanThreshold",
        TreatMissingData: definition.missing,
        // Set, so that drift detection compares it.
        ActionsEnabled: true,
        AlarmActions: [{ Ref: topicId }],
        OKActions: [{ Ref: topicId }],
        ...properties,
      },
    },
  });
  const ofMetric = (
    metric: { Namespace: string; MetricName: string; Dimensions?: object },
    Statistic: string,
    added: object,
  ) => {
    const standing = alarm("", { ...metric, Statistic, Period });
    if (!definition.lasts) return standing;
    const once = { EvaluationPeriods: 1, Threshold: 0, TreatMissingData: "notBreaching", OKActions: [] };
    return { ...standing, ...alarm("more", added, "There is more. ", once) };
  };
  if ("queue" in of) {
    const Dimensions = [{ Name: "QueueName", Value: { "Fn::GetAtt": [of.queue, "QueueName"] } }];
    const ofQueue = { Namespace: "AWS/SQS", Dimensions };
    const sent = { ...ofQueue, MetricName: "NumberOfMessagesSent", Statistic: "Sum", Period };
    return ofMetric({ ...ofQueue, MetricName: of.metric }, "Maximum", sent);
  }
  if ("counted" in of || "refused" in of) {
    const metric = { Namespace: name, MetricName: "counted" in of ? of.counted : refusedMetric };
    return ofMetric(metric, "Sum", { Metrics: riseOf({ Metric: metric, Stat: "Maximum", Period }) });
  }
  if ("api" in of) return alarm("", { Metrics: shareOf(of.api, of.requests, Period) });
  return Object.assign(
    {},
    ...chooseFunctions(functions, of.functions, of.in).map((one) => {
      const Dimensions = [{ Name: "FunctionName", Value: { Ref: one.logicalId } }];
      const about = {
        Namespace: "AWS/Lambda",
        MetricName: of.functions,
        Dimensions,
        Statistic: "Sum",
        Period,
      };
      return alarm(one.key, about, `${one.key}: `);
    }),
  );
}

/**
 * Returns 1 at an increase of a value that was not 0 before, which begins the alarm itself.
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/using-metric-math.html
 */
function riseOf(MetricStat: object) {
  return [
    { Id: "value", MetricStat, ReturnData: false },
    {
      Id: "rise",
      Label: "more than before",
      Expression: "IF(DIFF(value) > 0 AND value > DIFF(value), 1, 0)",
      ReturnData: true,
    },
  ];
}

/**
 * Returns per cent; no value while there are few requests.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-metrics.html
 */
function shareOf(answer: string, requests: number, Period: number) {
  const statistic = (Id: string, MetricName: string) => ({
    Id,
    MetricStat: {
      Metric: {
        Namespace: "AWS/ApiGateway",
        MetricName,
        Dimensions: [{ Name: "ApiId", Value: { Ref: "HttpApi" } }],
      },
      Period,
      Stat: "Sum",
    },
    ReturnData: false,
  });
  return [
    statistic("answered", answer),
    statistic("requests", "Count"),
    {
      Id: "share",
      Label: `${answer} in per cent`,
      Expression: `IF(requests >= ${requests}, 100 * FILL(answered, 0) / requests, 0)`,
      ReturnData: true,
    },
  ];
}

/**
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_PutMetricAlarm.html,
 * `AlarmDescription`
 */
const longestDescription = 1024;

function describe(key: string, { means, costs, type }: AlarmDefinition, { stage }: Watched, whose: string) {
  const lines = [
    `${whose}${means}`,
    `Costs: ${costs}`,
    `Type: npx cometchat-functions ${type} --stage ${stage}`,
    `Read: docs/operate.md#${key}`,
  ];
  const text = lines.join("\n");
  if (text.length <= longestDescription) return text;
  throw new Error(
    `The alarm ${key} has a description of ${text.length} characters; ${longestDescription} fit.`,
  );
}

function toPascalCase(name: string) {
  return name.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
}
