import { join } from "node:path";
import type { CloudOptions } from "./cloud-options.ts";
import type { CloudReport } from "./cloud-report.ts";
import { startCloudformationEndpoint } from "./cloudformation/cloudformation-endpoint.ts";
import type { StackReport } from "./cloudformation/stack-report.ts";
import { CodeVersions } from "./durable/code-versions.ts";
import { type SchedulingClock, watchClock } from "./durable/drive-durable-store.ts";
import { openDurableJournal } from "./durable/durable-journal.ts";
import { DurableStore } from "./durable/durable-store.ts";
import { startDynamodbEndpoint } from "./dynamodb-endpoint.ts";
import { startEventBusEndpoint } from "./event-bus-endpoint.ts";
import { createCloudFaults } from "./faults/cloud-faults.ts";
import { startHttpGateway } from "./gateway/http-gateway.ts";
import { startLambdaApi } from "./lambda/lambda-api.ts";
import type { LambdaService } from "./lambda/lambda-service.ts";
import { createLogStore } from "./logs/log-store.ts";
import { startLogsEndpoint } from "./logs/logs-endpoint.ts";
import type { Mappings } from "./mappings.ts";
import { createMetricStore } from "./metrics/metric-store.ts";
import { startMetricsEndpoint } from "./metrics/metrics-endpoint.ts";
import { startSecretsEndpoint } from "./secrets-endpoint.ts";
import { startSqsEndpoint } from "./sqs-endpoint.ts";
import { startStsEndpoint } from "./sts/sts-endpoint.ts";

/** Made after the services, whose addresses it needs. */
interface Deployed {
  readonly lambda: LambdaService;
  readonly routes: CloudReport["routes"];
  readonly stageSettings: CloudReport["stageSettings"];
  readonly stack: StackReport;
  readonly mappings: Mappings;
}

/** Stand-ins for AWS, each at its address. */
export type CloudServices = Awaited<ReturnType<typeof startCloudServices>>;

/** `started` closes them. */
export async function startCloudServices(options: CloudOptions, started: AsyncDisposableStack) {
  const { dataFolder, ports = {}, onExchange, onSent, functionClock } = options;
  const clock: SchedulingClock = options.clock ?? watchClock(options.now ?? Date.now);
  const { now } = clock;
  const faults = createCloudFaults(Math.random, now);
  const deployed = Promise.withResolvers<Deployed>();
  const invokeWhere = async (is: (definition: { name: string; arn: string }) => boolean, event: object) => {
    const { lambda } = await deployed.promise;
    const found = lambda.functions.find(is);
    return found && (await lambda.invoke(found.key, JSON.stringify(event)));
  };
  const adopt = async <One extends { close(): Promise<void> }>(starting: One | Promise<One>) =>
    started.adopt(await starting, (one) => one.close());
  const within = (name: string) => (dataFolder === undefined ? undefined : join(dataFolder, name));
  const functionsNow = () => {
    const { offsetMs, frozenAtMs } = functionClock?.() ?? { offsetMs: 0 };
    return frozenAtMs ?? Date.now() + offsetMs;
  };
  const logs = createLogStore(functionsNow);
  const metrics = createMetricStore(functionsNow);
  const journalFolder = within("executions");
  const versions = new CodeVersions(within("versions"));

  const sqs = await adopt(
    startSqsEndpoint({ dataFolder: within("queues"), now, faults: faults.of("sqs"), onSent }),
  );
  const dynamodb = await adopt(
    startDynamodbEndpoint({ dataFolder: within("tables"), now, faults: faults.of("dynamodb") }),
  );
  const secrets = await adopt(
    startSecretsEndpoint({
      ...{ file: within("secrets.json"), now, faults: faults.of("secretsmanager") },
      callRotation: async (lambdaArn, event) =>
        (await invokeWhere(({ arn }) => arn === lambdaArn, event))?.kind === "answered",
    }),
  );
  const durable = await adopt(
    new DurableStore({
      now,
      journal: journalFolder === undefined ? undefined : openDurableJournal(journalFolder),
      async invoke(functionName, input, version) {
        const { lambda } = await deployed.promise;
        const found = lambda.functions.find(({ name }) => name === functionName);
        if (found) return await lambda.invokeCode(versions.at(found, version), JSON.stringify(input));
        throw new Error(`serverless.yml no longer declares a function ${functionName}.`);
      },
    }),
  );
  versions.prune(durable.peek());
  const bus = await adopt(startEventBusEndpoint());
  const oldestMessageAtMs = (name: string) => sqs.peek(name).at(0)?.sentAtMs;
  const cloudWatch = await adopt(startMetricsEndpoint({ store: metrics, oldestMessageAtMs, now }));
  const backend = deployed.promise.then(({ lambda, mappings }) => ({ lambda, durable, mappings, versions }));
  const lambdaApi = await adopt(startLambdaApi(backend, { port: ports.lambda, faults: faults.of("lambda") }));
  const cloudWatchLogs = await adopt(startLogsEndpoint(logs));
  const cloudFormation = await adopt(
    startCloudformationEndpoint(deployed.promise.then(({ stack }) => stack)),
  );
  const sts = await adopt(startStsEndpoint());
  const gateway = await adopt(
    startHttpGateway(deployed.promise, { onExchange, port: ports.http, now: functionsNow }),
  );
  const endpoints = {
    sqs: sqs.url,
    dynamodb: dynamodb.url,
    secretsManager: secrets.url,
    eventBridge: bus.url,
    cloudWatch: cloudWatch.url,
    lambda: lambdaApi.url,
    cloudWatchLogs: cloudWatchLogs.url,
    cloudFormation: cloudFormation.url,
    sts: sts.url,
  };
  return {
    ...{ clock, faults, logs, metrics, sqs, dynamodb, secrets, durable, versions, bus, gateway, endpoints },
    lambda: deployed.promise.then(({ lambda }) => lambda),
    functionsNow,
    /** Gives the services what was made after them. */
    deploy: deployed.resolve,
  };
}

export type Endpoints = CloudServices["endpoints"];

export function addressesOf(endpoints: Endpoints): Record<string, string> {
  return {
    AWS_ENDPOINT_URL_SQS: endpoints.sqs,
    AWS_ENDPOINT_URL_DYNAMODB: endpoints.dynamodb,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: endpoints.secretsManager,
    AWS_ENDPOINT_URL_EVENTBRIDGE: endpoints.eventBridge,
    AWS_ENDPOINT_URL_CLOUDWATCH: endpoints.cloudWatch,
    AWS_ENDPOINT_URL_LAMBDA: endpoints.lambda,
    AWS_ENDPOINT_URL_CLOUDWATCH_LOGS: endpoints.cloudWatchLogs,
    AWS_ENDPOINT_URL_CLOUDFORMATION: endpoints.cloudFormation,
    AWS_ENDPOINT_URL_STS: endpoints.sts,
  };
}
