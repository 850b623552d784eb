import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { makeAlarms } from "../../../build/alarms/alarm-resources.ts";
import { alarmDefinitionsSchema } from "../../../build/alarms/alarm-schema.ts";
import { makeDashboard } from "../../../build/alarms/dashboard.ts";

const told = { means: "It is so.", costs: "Answers.", type: "status", above: 3, minutes: 5 };
const definitions = alarmDefinitionsSchema.parse({
  "dead-letters": {
    ...told,
    of: { queue: "DeadLetterQueue", metric: "Visible" },
    missing: "ignore",
    lasts: true,
  },
  "flows-failed": { ...told, of: { counted: "FlowFailed", in: ["flows"] } },
  "keys-refused": { ...told, of: { counted: "ApiKeyRefused" }, lasts: true },
  "api-5xx": { ...told, of: { api: "5xx", requests: 7 }, times: 2 },
  "functions-errors": { ...told, of: { functions: "Errors" } },
  "requests-refused": { ...told, of: { refused: ["webhooks", "moderation"] } },
  "flows-not-started": { ...told, of: { functions: "AsyncEventsDropped", in: ["flows"] } },
});
const watched = {
  name: "chat-prod",
  stage: "prod",
  functions: ["webhook", "flows"].map((key) => ({
    key,
    logicalId: `${key}LambdaFunction`,
    logGroupId: `${key}LogGroup`,
  })),
};
const make = (
  settings: { notify?: string[]; above?: Record<string, number>; without?: string[] | "all" } = {},
) => makeAlarms(definitions, { notify: [], ...settings }, watched);
const ofType = (resources: ReturnType<typeof make>, type: string) =>
  Object.fromEntries(
    Object.entries(resources)
      .filter(([, { Type }]) => Type === type)
      .map(([id, { Properties }]) => [id, Properties]),
  );

describe("makeAlarms", () => {
  it("states in each alarm its meaning, its cost, the command to type and the page to read", () => {
    expect(make().DeadLettersAlarm?.Properties).toMatchObject({
      AlarmName: "chat-prod-dead-letters",
      AlarmDescription:
        "It is so.\nCosts: Answers.\nType: npx cometchat-functions status --stage prod\nRead: docs/operate.md#dead-letters",
      Dimensions: [{ Name: "QueueName", Value: { "Fn::GetAtt": ["DeadLetterQueue", "QueueName"] } }],
      Threshold: 3,
      Period: 300,
      TreatMissingData: "ignore",
      AlarmActions: [{ Ref: "AlarmTopic" }],
      ActionsEnabled: true,
      OKActions: [{ Ref: "AlarmTopic" }],
    });
  });

  it("adds up the counts of functions, for all apps of this deployment only", () => {
    const filters = ofType(make(), "AWS::Logs::MetricFilter");

    expect(Object.keys(filters)).toEqual([
      "flowsFlowFailedFilter",
      "webhookApiKeyRefusedFilter",
      "flowsApiKeyRefusedFilter",
      "RequestRefusedByLimitFilter",
    ]);
    expect(filters.flowsFlowFailedFilter).toEqual({
      LogGroupName: { Ref: "flowsLogGroup" },
      FilterPattern: "{ $.FlowFailed >= 0 }",
      MetricTransformations: [
        { MetricNamespace: "chat-prod", MetricName: "FlowFailed", MetricValue: "$.FlowFailed" },
      ],
    });
    expect(make().FlowsFailedAlarm?.Properties).toMatchObject({
      Namespace: "chat-prod",
      MetricName: "FlowFailed",
      Statistic: "Sum",
      TreatMissingData: "notBreaching",
    });
  });

  it("notifies of what is added while an alarm lasts, as CloudWatch notifies of changes only", () => {
    const once = { Threshold: 0, AlarmActions: [{ Ref: "AlarmTopic" }], OKActions: [] };
    expect(make().DeadLettersMoreAlarm?.Properties).toMatchObject({
      ...once,
      AlarmName: "chat-prod-dead-letters-more",
      AlarmDescription: expect.stringMatching(/^There is more\. It is so\./),
      MetricName: "NumberOfMessagesSent",
      Statistic: "Sum",
      TreatMissingData: "notBreaching",
    });
    const ofKeys = make().KeysRefusedMoreAlarm?.Properties;
    expect(ofKeys).toMatchObject(once);
    expect(z.parse(mathSchema, ofKeys).Metrics).toMatchObject([
      { MetricStat: { Metric: { MetricName: "ApiKeyRefused" }, Stat: "Maximum" }, ReturnData: false },
      { Expression: "IF(DIFF(value) > 0 AND value > DIFF(value), 1, 0)", ReturnData: true },
    ]);
  });

  it("counts requests of the named routes that a limit refused, from the access log", () => {
    expect(make().RequestRefusedByLimitFilter?.Properties).toMatchObject({
      LogGroupName: { Ref: "HttpApiLogGroup" },
      FilterPattern: '{ $.status = "429" && ($.routeKey = "*/webhooks/*" || $.routeKey = "*/moderation/*") }',
      MetricTransformations: [{ MetricName: "RequestRefusedByLimit", MetricValue: "1" }],
    });
    expect(make().RequestsRefusedAlarm?.Properties).toMatchObject({ MetricName: "RequestRefusedByLimit" });
  });

  it("makes one alarm for each function and names the function in it", () => {
    expect(make().FunctionsErrorsFlowsAlarm?.Properties).toMatchObject({
      AlarmName: "chat-prod-functions-errors-flows",
      AlarmDescription: expect.stringMatching(/^flows: It is so\./),
      Dimensions: [{ Name: "FunctionName", Value: { Ref: "flowsLambdaFunction" } }],
    });
    expect(make()).toHaveProperty("FunctionsErrorsWebhookAlarm");
  });

  it("makes an alarm only for the functions in its list", () => {
    const { FlowsNotStartedFlowsAlarm, ...others } = make();

    expect(FlowsNotStartedFlowsAlarm?.Properties).toMatchObject({
      Namespace: "AWS/Lambda",
      MetricName: "AsyncEventsDropped",
      Dimensions: [{ Name: "FunctionName", Value: { Ref: "flowsLambdaFunction" } }],
    });
    expect(Object.keys(others).filter((id) => id.startsWith("FlowsNotStarted"))).toEqual([]);
  });

  it("watches the share of answers only above a minimum number of answers", () => {
    const { Metrics } = z.parse(mathSchema, make().Api5xxAlarm?.Properties);
    const [answered, requests, share] = Metrics;

    expect([answered, requests]).toMatchObject([
      { MetricStat: { Metric: { MetricName: "5xx" } }, ReturnData: false },
      { MetricStat: { Metric: { MetricName: "Count" } }, ReturnData: false },
    ]);
    expect(share).toMatchObject({ Expression: "IF(requests >= 7, 100 * FILL(answered, 0) / requests, 0)" });
  });

  it("notifies email and HTTPS addresses, and makes no topic without an address", () => {
    const topicOf = (notify: string[]) => make({ notify }).AlarmTopic?.Properties;

    expect(topicOf(["ops@example.com", "https://events.example.com/x"])).toEqual({
      TopicName: "chat-prod-alarms",
      Subscription: [
        { Protocol: "email", Endpoint: "ops@example.com" },
        { Protocol: "https", Endpoint: "https://events.example.com/x" },
      ],
    });
    expect(topicOf([])).toEqual({ TopicName: "chat-prod-alarms", Subscription: [] });
  });

  it("accepts another limit, and omits alarms that a stage disables", () => {
    const resources = make({ above: { "dead-letters": 0 }, without: ["flows-failed"] });

    expect(resources.DeadLettersAlarm?.Properties).toMatchObject({ Threshold: 0 });
    expect(resources).not.toHaveProperty("FlowsFailedAlarm");
    expect(resources).not.toHaveProperty("flowsFlowFailedFilter");
    expect(Object.keys(make({ without: "all" }))).toEqual(["AlarmTopic"]);
  });

  it.each([
    [
      { above: { "dead-leters": 1 } },
      'config/alarms.yml names the alarm "dead-leters"; did you mean "dead-letters"?',
    ],
    [{ without: ["nothing"] }, 'config/alarms.yml names the alarm "nothing"'],
    [{ above: { first: 1, second: 2 }, without: ["third"] }, /"first".*\n.*"second".*\n.*"third"/],
  ])("refuses settings of an unknown alarm: %j", (settings, message) => {
    expect(() => make(settings)).toThrow(message);
  });

  it("refuses counts of an unknown function, and a text that is too long for AWS", () => {
    const wrong = (of: object, means = "") => alarmDefinitionsSchema.parse({ one: { ...told, means, of } });

    expect(() => makeAlarms(wrong({ counted: "X", in: ["webook"] }), { notify: [] }, watched)).toThrow(
      "counts X in webook",
    );
    expect(() => makeAlarms(wrong({ counted: "X" }, "x".repeat(1_000)), { notify: [] }, watched)).toThrow(
      "1024 fit",
    );
  });
});

describe("makeDashboard", () => {
  it("shows every function and every count, in a text that CloudFormation fills in", () => {
    const { Dashboard } = makeDashboard(definitions, watched);
    const { DashboardBody } = z.parse(dashboardSchema, Dashboard?.Properties);

    const { widgets } = z.parse(bodySchema, JSON.parse(DashboardBody["Fn::Sub"]));
    const metrics = widgets.flatMap(({ properties }) => properties.metrics);

    expect(Dashboard?.Properties).toMatchObject({
      DashboardName: { "Fn::Sub": `chat-prod-$\{AWS::Region}` },
    });
    expect(metrics).toContainEqual(["chat-prod", "FlowFailed"]);
    const flows = `$\{flowsLambdaFunction}`;
    expect(metrics).toContainEqual(["AWS/Lambda", "Errors", "FunctionName", flows, { label: "flows" }]);
  });
});

const mathSchema = z.object({ Metrics: z.array(z.unknown()) });
const dashboardSchema = z.object({ DashboardBody: z.object({ "Fn::Sub": z.string() }) });
const bodySchema = z.object({
  widgets: z.array(z.object({ properties: z.object({ metrics: z.array(z.unknown()) }) })),
});
