import { afterEach, beforeEach, expect, it } from "vitest";
import type { ServiceDefinition } from "../../local/cloud/build/service-definition.ts";
import { type DynamodbEndpoint, startDynamodbEndpoint } from "../../local/cloud/dynamodb-endpoint.ts";
import { type ProvisionOptions, provision } from "../../local/cloud/provision.ts";
import { type SecretsEndpoint, startSecretsEndpoint } from "../../local/cloud/secrets-endpoint.ts";
import { type SqsEndpoint, startSqsEndpoint } from "../../local/cloud/sqs-endpoint.ts";

let sqs: SqsEndpoint;
let dynamodb: DynamodbEndpoint;
let secrets: SecretsEndpoint;

beforeEach(async () => {
  [sqs, dynamodb, secrets] = await Promise.all([
    startSqsEndpoint(),
    startDynamodbEndpoint(),
    startSecretsEndpoint(),
  ]);
});
afterEach(() => Promise.all([sqs.close(), dynamodb.close(), secrets.close()]));

const consume = {
  name: "service-consume",
  handler: "functions.consume",
  timeout: 30,
  environment: { QUEUE_URL: { Ref: "Events" }, OWN: "declared" },
  events: [
    { sqs: { arn: { "Fn::GetAtt": ["Events", "Arn"] }, batchSize: 5, maximumConcurrency: 7 } },
    { httpApi: "POST /events/{id}" },
    { schedule: "rate(1 day)" },
  ],
};
const service: ServiceDefinition = {
  service: "service",
  provider: { region: "eu-central-1", stage: "test", environment: { SHARED: "yes" } },
  functions: { consume, plain: { name: "service-plain", handler: "functions.plain" } },
  resources: {
    Resources: {
      Events: {
        Type: "AWS::SQS::Queue",
        Properties: {
          FifoQueue: true,
          VisibilityTimeout: 180,
          RedrivePolicy: { deadLetterTargetArn: { "Fn::GetAtt": ["Dead", "Arn"] }, maxReceiveCount: 5 },
        },
      },
      Dead: { Type: "AWS::SQS::Queue", Properties: { FifoQueue: true } },
      Calls: {
        Type: "AWS::DynamoDB::Table",
        Properties: {
          AttributeDefinitions: [{ AttributeName: "id", AttributeType: "S" }],
          KeySchema: [{ AttributeName: "id", KeyType: "HASH" }],
          TimeToLiveSpecification: { AttributeName: "expiration", Enabled: true },
        },
      },
    },
  },
};
const run = (options: Partial<ProvisionOptions> = {}, definition = service) =>
  provision(definition, { sqs, dynamodb, secrets, taskRoot: "/task", environment: {}, ...options });

it("reads routes, mappings and schedules from the events, and limits, with serverless's defaults", () => {
  const { functions, routes, mappings, schedules } = run();

  expect(functions).toMatchObject([
    { key: "consume", timeoutMs: 30_000 },
    { key: "plain", timeoutMs: 6_000, memoryMb: 1024 },
  ]);
  expect(routes).toEqual([{ functionKey: "consume", key: "POST /events/{id}" }]);
  expect(mappings).toMatchObject([{ batchSize: 5, maximumConcurrency: 7, reportsItemFailures: false }]);
  expect(schedules).toEqual([{ functionKey: "consume", schedule: "rate(1 day)" }]);
});

it("names the events and their settings that it ignores", () => {
  const events = [
    { stream: { arn: "x" } },
    "alexaSmartHome",
    { schedule: { rate: "rate(1 day)", timezone: "Europe/Berlin", input: {} } },
    { httpApi: { method: "GET", path: "/", authorizer: { name: "own" } } },
    ...consume.events,
  ];

  expect(run({}, { ...service, functions: { consume: { ...consume, events } } }).ignored).toEqual([
    "stream of consume",
    "alexaSmartHome of consume",
    "schedule.timezone of consume",
    "httpApi.authorizer of consume",
  ]);
});

it("creates queues and tables as declared, and can be repeated", () => {
  run();
  sqs.service.get("service-test-Events.fifo").queue.send({ body: "kept", lane: "a", deduplicationId: "1" });
  run();

  const { attributes, queue } = sqs.service.get("service-test-Events.fifo");
  expect(attributes).toMatchObject({ VisibilityTimeout: "180", MaximumMessageSize: "1048576" });
  expect(queue.settings.redrive?.maxReceiveCount).toBe(5);
  expect(queue.depth().visible).toBe(1);
  expect(dynamodb.service.get("service-test-Calls").table.settings.expiryAttribute).toBe("expiration");
});

it.each([
  ["an unknown resource", { environment: { X: { Ref: "Role" } } }, /environment variable X of consume/],
  ["a filter", { events: [{ sqs: { arn: "x", filterPatterns: [{}] } }] }, /filterPatterns/],
  ["an unknown queue", { events: [{ sqs: "arn:aws:sqs:eu-central-1:0:x" }] }, /which is no queue/],
])("names the function that needs %s", (_what, more, message) => {
  const definition = { ...service, functions: { consume: { ...consume, ...more } } };

  expect(() => run({}, definition)).toThrow(message);
});
