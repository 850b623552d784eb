import type { CloudReport, CloudResource, EventSourceMapping } from "./cloud-report.ts";
import { type IntrinsicContext, type ResourceValues, resolveIntrinsics } from "./intrinsics.ts";
import { createQueue, identifyQueue } from "./local-queue.ts";
import { createSecret } from "./local-secret.ts";
import { createTable } from "./local-table.ts";
import {
  eventSchema,
  type ResourceDefinition,
  type ServiceDefinition,
  type SqsEvent,
} from "./service-definition.ts";

export interface Endpoints {
  readonly sqs: string;
  readonly dynamodb: string;
  readonly secretsManager: string;
  readonly eventBridge: string;
}

export interface Provisioned {
  readonly report: CloudReport;
  /** Function key → its environment with every CloudFormation function replaced. */
  readonly environments: Record<string, Record<string, string>>;
}

/**
 * Creates the queues, tables and secrets that a service declares, on the local endpoints. May be repeated: what is
 * there already stays.
 * @throws Error if a function's environment or event needs something that does not exist locally
 */
export async function provision(service: ServiceDefinition, endpoints: Endpoints): Promise<Provisioned> {
  const { region, stage } = service.provider;
  const stackName = `${service.service}-${stage}`;
  const declared = Object.entries(service.resources?.Resources ?? {});
  const values = new Map<string, ResourceValues>();
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

  // Queues are named before anything is created: their redrive policies and others' environments refer to them.
  const queueOwner = { endpoint: endpoints.sqs, region };
  for (const [id, { Properties = {} }] of ofType("AWS::SQS::Queue")) {
    add(id, identifyQueue(Properties, `${stackName}-${id}`, queueOwner));
  }
  for (const [id, definition] of ofType("AWS::SQS::Queue")) {
    const { name, url = "" } = resources[id] ?? { name: id };
    await createQueue({ name, url }, propertiesOf(definition), queueOwner);
  }
  for (const [id, definition] of ofType("AWS::DynamoDB::Table")) {
    const owner = { endpoint: endpoints.dynamodb, region };
    add(id, await createTable(propertiesOf(definition), `${stackName}-${id}`, owner));
  }
  for (const [id, definition] of ofType("AWS::SecretsManager::Secret")) {
    const owner = { endpoint: endpoints.secretsManager, region };
    add(id, await createSecret(propertiesOf(definition), `${stackName}-${id}`, owner));
  }

  const functions = Object.entries(service.functions);
  return {
    report: {
      type: "ready",
      region,
      functionNames: Object.fromEntries(functions.map(([key, { name }]) => [key, name])),
      mappings: mappingsOf(service, context, resources),
      schedules: functions.flatMap(([functionKey, { events = [] }]) =>
        events
          .map((event) => eventSchema.parse(event).schedule)
          .filter((schedule) => schedule !== undefined)
          .map((schedule) => ({ functionKey, schedule })),
      ),
      resources,
    },
    environments: Object.fromEntries(
      functions.map(([key, { environment }]) => [
        key,
        resolveEnvironment({ ...service.provider.environment, ...environment }, key, context),
      ]),
    ),
  };
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

function mappingsOf(
  service: ServiceDefinition,
  context: IntrinsicContext,
  resources: Record<string, CloudResource>,
): EventSourceMapping[] {
  return Object.entries(service.functions).flatMap(([functionKey, { events = [] }]) =>
    events.flatMap((event) => {
      const { sqs } = eventSchema.parse(event);
      if (sqs === undefined) return [];
      const settings: SqsEvent = typeof sqs === "string" ? { arn: sqs } : sqs;
      if (settings.enabled === false) return [];
      if (settings.filterPatterns) {
        throw new Error(
          `The sqs event of ${functionKey} has filterPatterns, which the local cloud cannot apply.`,
        );
      }
      const arn = resolveIntrinsics(settings.arn, context);
      const queue = Object.values(resources).find((resource) => resource.arn === arn);
      if (queue?.url === undefined) {
        throw new Error(`The sqs event of ${functionKey} names ${arn}, which is no queue of serverless.yml.`);
      }
      return {
        functionKey,
        queueUrl: queue.url,
        queueArn: queue.arn,
        batchSize: settings.batchSize ?? 10,
        maximumBatchingWindowMs: (settings.maximumBatchingWindow ?? 0) * 1000,
        ...(settings.maximumConcurrency !== undefined && { maximumConcurrency: settings.maximumConcurrency }),
        reportsItemFailures: settings.functionResponseType === "ReportBatchItemFailures",
      };
    }),
  );
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
