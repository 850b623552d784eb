import { sha256Hex } from "../../lib/base/digest.ts";
import { isRecord } from "../../lib/base/json.ts";
import {
  eventSchema,
  listIgnored,
  type ResourceDefinition,
  type ServiceDefinition,
  type SqsEvent,
} from "./build/service-definition.ts";
import type { CloudReport, CloudResource, EventSourceMapping } from "./cloud-report.ts";
import { logicalName } from "./cloudformation/stack-report.ts";
import type { DynamodbEndpoint } from "./dynamodb-endpoint.ts";
import { writeRouteKey } from "./gateway/route-table.ts";
import { type IntrinsicContext, type ResourceValues, resolveIntrinsics } from "./intrinsics.ts";
import type { FunctionDefinition } from "./lambda/function-definition.ts";
import { localAccountId } from "./local-aws.ts";
import { createSecret } from "./local-secret.ts";
import type { SecretsEndpoint } from "./secrets-endpoint.ts";
import type { SqsEndpoint } from "./sqs-endpoint.ts";
import { tableSchema } from "./table/table-service.ts";

export interface ProvisionOptions {
  readonly sqs: SqsEndpoint;
  readonly dynamodb: DynamodbEndpoint;
  readonly secrets: SecretsEndpoint;
  readonly taskRoot: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly visibilityTimeoutSeconds?: number | undefined;
  readonly httpUrl?: string;
  readonly functionUrls?: Readonly<Record<string, string>>;
}

/**
 * Creates queues, tables and secrets; existing ones stay.
 * @throws Error if an environment or event needs something that does not exist locally
 */
export function provision(service: ServiceDefinition, options: ProvisionOptions): CloudReport {
  const { region } = service.provider;
  const { context, resources } = createResources(service, options);
  const events = eventsOf(service);
  return {
    region,
    functions: Object.keys(service.functions).map((key) => toFunction(key, service, context, options)),
    ...httpApiOf(service),
    mappings: events.flatMap(({ functionKey, sqs }) =>
      sqs === undefined ? [] : toMappings(functionKey, sqs, context, resources),
    ),
    schedules: events.flatMap(({ functionKey, schedule }) =>
      schedule === undefined ? [] : [{ functionKey, schedule }],
    ),
    resources,
    outputs: resolveOutputs(service, context),
    ignored: listIgnored(service),
  };
}

function createResources(service: ServiceDefinition, options: ProvisionOptions) {
  const { region, stage } = service.provider;
  const stackName = `${service.service}-${stage}`;
  const declared = Object.entries(service.resources?.Resources ?? {});
  const values = new Map<string, ResourceValues>(
    options.httpUrl === undefined
      ? []
      : [[httpApiId, { ref: "local", attributes: { ApiEndpoint: options.httpUrl } }]],
  );
  for (const [key, FunctionUrl] of Object.entries(options.functionUrls ?? {}))
    values.set(`${logicalName(key)}LambdaFunctionUrl`, { ref: FunctionUrl, attributes: { FunctionUrl } });
  const context: IntrinsicContext = { region, stackName, resources: values };
  const resources: Record<string, CloudResource> = {};
  const add = (id: string, resource: CloudResource) => {
    resources[id] = resource;
    values.set(id, valuesOf(resource));
  };
  const propertiesOf = ({ Properties = {} }: ResourceDefinition) =>
    Object.fromEntries(
      Object.entries(Properties).map(([name, value]) => [name, resolveIntrinsics(value, context)]),
    );
  const ofType = (type: string) => declared.filter(([, { Type }]) => Type === type);
  const overridden =
    options.visibilityTimeoutSeconds === undefined
      ? {}
      : { VisibilityTimeout: options.visibilityTimeoutSeconds };

  // Redrive policies and environments refer to them.
  for (const [id, { Properties = {} }] of ofType("AWS::SQS::Queue")) {
    const { FifoQueue, QueueName = `${stackName}-${id}${FifoQueue === true ? ".fifo" : ""}` } = Properties;
    const name = String(QueueName);
    const arn = `arn:aws:sqs:${region}:${localAccountId}:${name}`;
    add(id, { type: "queue", name, arn, url: options.sqs.service.urlOf(name) });
  }
  for (const [id, definition] of ofType("AWS::SQS::Queue")) {
    const { QueueName: _name, Tags: _tags, ...settings } = propertiesOf(definition);
    const attributes = Object.entries({ ...settings, ...overridden }).map(([key, value]) => [
      key,
      typeof value === "object" ? JSON.stringify(value) : String(value),
    ]);
    options.sqs.service.ensure(resources[id]?.name ?? id, Object.fromEntries(attributes), region);
  }
  for (const [id, definition] of ofType("AWS::DynamoDB::Table")) {
    // The rest has no effect locally.
    const description = tableSchema.parse({ TableName: `${stackName}-${id}`, ...propertiesOf(definition) });
    const { name, arn } = options.dynamodb.service.ensure(description, region);
    add(id, { type: "table", name, arn });
  }
  for (const [id, definition] of ofType("AWS::SecretsManager::Secret")) {
    add(id, createSecret(propertiesOf(definition), `${stackName}-${id}`, { ...options, region }));
  }
  return { context, resources };
}

export function httpApiOf(service: ServiceDefinition): Pick<CloudReport, "routes" | "stageSettings"> {
  return {
    routes: eventsOf(service).flatMap(({ functionKey, httpApi }) =>
      httpApi === undefined ? [] : [{ functionKey, key: writeRouteKey(httpApi) }],
    ),
    stageSettings: service.resources?.extensions?.HttpApiStage?.Properties ?? {},
  };
}

const httpApiId = "HttpApi";

function resolveOutputs({ resources }: ServiceDefinition, context: IntrinsicContext): Record<string, string> {
  return Object.fromEntries(
    Object.entries(resources?.Outputs ?? {}).map(([name, { Value }]) => {
      try {
        return [name, String(resolveIntrinsics(Value, context))];
      } catch (cause) {
        throw new Error(`The output ${name} of the stack has no local value: ${cause}`);
      }
    }),
  );
}

function valuesOf({ type, name, arn, url = "" }: CloudResource): ResourceValues {
  switch (type) {
    case "queue":
      return { ref: url, attributes: { Arn: arn, QueueName: name, QueueUrl: url } };
    case "table":
      return { ref: name, attributes: { Arn: arn } };
    case "secret":
      return { ref: arn, attributes: { Id: arn } };
  }
}

function eventsOf(service: ServiceDefinition) {
  return Object.entries(service.functions).flatMap(([functionKey, { events = [] }]) =>
    events.filter(isRecord).map((event) => ({ functionKey, ...eventSchema.parse(event) })),
  );
}

/** serverless's default: `compile/functions.js` of its AWS plugin. */
const defaultTimeoutSeconds = 6;
const defaultMemoryMb = 1024;

function toFunction(
  key: string,
  service: ServiceDefinition,
  context: IntrinsicContext,
  { taskRoot, environment }: ProvisionOptions,
): FunctionDefinition {
  const { provider } = service;
  const declared = service.functions[key];
  if (!declared) throw new Error(`serverless.yml declares no function ${key}.`);
  return {
    key,
    name: declared.name,
    arn: `arn:aws:lambda:${provider.region}:${localAccountId}:function:${declared.name}`,
    handler: declared.handler,
    taskRoot,
    region: provider.region,
    timeoutMs: (declared.timeout ?? provider.timeout ?? defaultTimeoutSeconds) * 1000,
    memoryMb: declared.memorySize ?? provider.memorySize ?? defaultMemoryMb,
    logFormat: provider.logs?.lambda?.logFormat,
    maximumRetryAttempts: declared.maximumRetryAttempts,
    durable: toDurable(declared.durableConfig),
    environment: {
      ...resolveEnvironment({ ...provider.environment, ...declared.environment }, key, context),
      ...environment,
    },
  };
}

/**
 * @see
 *   https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/aws-properties-lambda-function-durableconfig.html
 */
const defaultRetentionDays = 14;

function toDurable(
  config: ServiceDefinition["functions"][string]["durableConfig"],
): FunctionDefinition["durable"] {
  if (!config) return undefined;
  const { executionTimeout, retentionPeriodInDays = defaultRetentionDays } = config;
  return {
    executionTimeoutMs: executionTimeout * 1000,
    retentionMs: retentionPeriodInDays * 86_400_000,
  };
}

function toMappings(
  functionKey: string,
  sqs: string | SqsEvent,
  context: IntrinsicContext,
  resources: Record<string, CloudResource>,
): EventSourceMapping[] {
  const settings: SqsEvent = typeof sqs === "string" ? { arn: sqs } : sqs;
  if (settings.enabled === false) return [];
  if (settings.filterPatterns) {
    throw new Error(
      `The sqs event of ${functionKey} has filterPatterns, which the local cloud cannot apply.`,
    );
  }
  const arn = resolveIntrinsics(settings.arn, context);
  const [queueId = "", queue] = Object.entries(resources).find(([, resource]) => resource.arn === arn) ?? [];
  if (queue?.url === undefined) {
    throw new Error(`The sqs event of ${functionKey} names ${arn}, which is no queue of serverless.yml.`);
  }
  const logicalId = `${logicalName(functionKey)}EventSourceMappingSQS${queueId}`;
  const digest = sha256Hex(logicalId);
  return [
    {
      functionKey,
      logicalId,
      uuid: digest.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, "$1-$2-$3-$4-$5"),
      queueName: queue.name,
      queueArn: queue.arn,
      batchSize: settings.batchSize ?? 10,
      ...(settings.maximumConcurrency !== undefined && { maximumConcurrency: settings.maximumConcurrency }),
      reportsItemFailures: settings.functionResponseType === "ReportBatchItemFailures",
    },
  ];
}

function resolveEnvironment(
  environment: Record<string, unknown>,
  functionKey: string,
  context: IntrinsicContext,
): Record<string, string> {
  const entries = Object.entries(environment).map(([name, value]) => {
    try {
      return [name, resolveIntrinsics(value, context)] as const;
    } catch (cause) {
      throw new Error(`The environment variable ${name} of ${functionKey} cannot be set locally: ${cause}`);
    }
  });
  return Object.fromEntries(
    entries.flatMap(([name, value]) =>
      value === undefined || value === null ? [] : [[name, String(value)]],
    ),
  );
}
