import { join } from "node:path";
import type { CloudOptions } from "./cloud-options.ts";
import type { CloudReport } from "./cloud-report.ts";
import { startCloudformationEndpoint } from "./cloudformation/cloudformation-endpoint.ts";
import type { StackReport } from "./cloudformation/stack-report.ts";
import { CodeVersions } from "./durable/code-versions.ts";
import { pollingClock, type SchedulingClock } from "./durable/drive-durable-store.ts";
import { openDurableJournal } from "./durable/durable-journal.ts";
import { DurableStore } from "./durable/durable-store.ts";
import { startDynamodbEndpoint } from "./dynamodb-endpoint.ts";
import { startEventBusEndpoint } from "./event-bus-endpoint.ts";
import { type CloudFaults, createCloudFaults } from "./faults/cloud-faults.ts";
import { startHttpGateway } from "./gateway/http-gateway.ts";
import { startLambdaApi } from "./lambda/lambda-api.ts";
import type { LambdaService } from "./lambda/lambda-service.ts";
import type { FunctionClock } from "./lambda/runtime-api.ts";
import { createLogStore } from "./logs/log-store.ts";
import { startLogsEndpoint } from "./logs/logs-endpoint.ts";
import type { Mappings } from "./mappings.ts";
import { createMetricStore } from "./metrics/metric-store.ts";
import { startMetricsEndpoint } from "./metrics/metrics-endpoint.ts";
import { startSecretsEndpoint } from "./secrets-endpoint.ts";
import { startSqsEndpoint } from "./sqs-endpoint.ts";
import { startStsEndpoint } from "./sts/sts-endpoint.ts";

/** Parts created after the services. */
interface Deployed {
  readonly lambda: LambdaService;
  readonly routes: CloudReport["routes"];
  readonly stageSettings: CloudReport["stageSettings"];
  readonly stack: StackReport;
  readonly mappings: Mappings;
}

export type CloudServices = Awaited<ReturnType<typeof startCloudServices>>;

export async function startCloudServices(
  options: CloudOptions,
  buildFolder: string,
  started: AsyncDisposableStack,
) {
  const { dataFolder, ports = {}, onExchange, functionClock } = options;
  const clock: SchedulingClock = options.clock ?? pollingClock(Date.now);
  const { now } = clock;
  const faults = createCloudFaults(Math.random, now);
  const deployed = Promise.withResolvers<Deployed>();
  const lambda = deployed.promise.then((ready) => ready.lambda);
  const adopt: Adopt = async (starting) => started.adopt(await starting, (one) => one.close());
  const within = (name: string) => (dataFolder === undefined ? undefined : join(dataFolder, name));
  const functionsNow = () => timeBy(functionClock?.());
  const logs = createLogStore(functionsNow);
  const metrics = createMetricStore(functionsNow);
  const versions = new CodeVersions(within("versions") ?? join(buildFolder, "versions"));
  const stores = await startStores(options, { adopt, within, now, faults, lambda, versions });
  const { sqs, dynamodb, secrets, durable } = stores;
  versions.prune(durable.peek());
  const bus = await adopt(startEventBusEndpoint());
  const oldestMessageAtMs = (name: string) => sqs.peek(name).at(0)?.sentAtMs;
  const cloudWatch = await adopt(startMetricsEndpoint({ store: metrics, oldestMessageAtMs, now }));
  const backend = deployed.promise.then((ready) => ({ ...ready, durable, versions }));
  const lambdaApi = await adopt(startLambdaApi(backend, { port: ports.lambda, faults: faults.of("lambda") }));
  const cloudWatchLogs = await adopt(startLogsEndpoint(logs));
  const stack = deployed.promise.then((ready) => ready.stack);
  const cloudFormation = await adopt(startCloudformationEndpoint(stack));
  const sts = await adopt(startStsEndpoint());
  const gateway = await adopt(
    startHttpGateway(deployed.promise, { onExchange, port: ports.http, now: functionsNow }),
  );
  const endpoints = {
    AWS_ENDPOINT_URL_SQS: sqs.url,
    AWS_ENDPOINT_URL_DYNAMODB: dynamodb.url,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.url,
    AWS_ENDPOINT_URL_EVENTBRIDGE: bus.url,
    AWS_ENDPOINT_URL_CLOUDWATCH: cloudWatch.url,
    AWS_ENDPOINT_URL_LAMBDA: lambdaApi.url,
    AWS_ENDPOINT_URL_CLOUDWATCH_LOGS: cloudWatchLogs.url,
    AWS_ENDPOINT_URL_CLOUDFORMATION: cloudFormation.url,
    AWS_ENDPOINT_URL_STS: sts.url,
  };
  return {
    clock,
    faults,
    logs,
    metrics,
    ...stores,
    versions,
    bus,
    gateway,
    endpoints,
    lambda,
    functionsNow,
    deploy: deployed.resolve,
  };
}

function timeBy({ offsetMs, frozenAtMs }: FunctionClock = { offsetMs: 0 }) {
  return frozenAtMs ?? Date.now() + offsetMs;
}

type Adopt = <One extends { close(): Promise<void> }>(starting: One | Promise<One>) => Promise<One>;

interface StoreSurroundings {
  readonly adopt: Adopt;
  readonly within: (name: string) => string | undefined;
  readonly now: () => number;
  readonly faults: CloudFaults;
  readonly lambda: Promise<LambdaService>;
  readonly versions: CodeVersions;
}

async function startStores(
  { onSent }: CloudOptions,
  { adopt, within, now, faults, lambda, versions }: StoreSurroundings,
) {
  const journalFolder = within("executions");
  return {
    sqs: await adopt(
      startSqsEndpoint({ dataFolder: within("queues"), now, faults: faults.of("sqs"), onSent }),
    ),
    dynamodb: await adopt(
      startDynamodbEndpoint({ dataFolder: within("tables"), now, faults: faults.of("dynamodb") }),
    ),
    secrets: await adopt(
      startSecretsEndpoint({
        file: within("secrets.json"),
        now,
        faults: faults.of("secretsmanager"),
        async callRotation(lambdaArn, event) {
          const running = await lambda;
          const found = running.functions.find(({ arn }) => arn === lambdaArn);
          return (
            found !== undefined &&
            (await running.invoke(found.key, JSON.stringify(event))).kind === "answered"
          );
        },
      }),
    ),
    durable: await adopt(
      new DurableStore({
        now,
        journal: journalFolder === undefined ? undefined : openDurableJournal(journalFolder),
        async invoke(functionName, input, version) {
          const running = await lambda;
          const found = running.functions.find(({ name }) => name === functionName);
          if (found) return await running.invokeCode(versions.at(found, version), JSON.stringify(input));
          throw new Error(`serverless.yml no longer declares a function ${functionName}.`);
        },
      }),
    ),
  };
}

export type Endpoints = CloudServices["endpoints"];
