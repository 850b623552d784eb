import { join } from "node:path";
import timers from "node:timers/promises";
import { findProjectFolder } from "../../scripts/folders.ts";
import { buildService } from "./build/build-service.ts";
import { sourcesOf } from "./build/source-snapshot.ts";
import { type CloudContents, type CloudStores, putContentsBack, takeContents } from "./cloud-contents.ts";
import type { CloudReport, CloudResource } from "./cloud-report.ts";
import { startCloudformationEndpoint } from "./cloudformation/cloudformation-endpoint.ts";
import { reportStack, type StackReport } from "./cloudformation/stack-report.ts";
import { startConsumers } from "./consumers.ts";
import { driveDurableStore, type SchedulingClock, watchClock } from "./durable/drive-durable-store.ts";
import { openDurableJournal } from "./durable/durable-journal.ts";
import { createDurableStore } from "./durable/durable-store.ts";
import type { DurableStore } from "./durable/durable-types.ts";
import { startDynamodbEndpoint } from "./dynamodb-endpoint.ts";
import { type PutEvent, startEventBusEndpoint } from "./event-bus-endpoint.ts";
import type { BatchEvent } from "./event-source.ts";
import { type CloudFaults, createCloudFaults } from "./faults/cloud-faults.ts";
import { type HttpExchange, startHttpGateway } from "./gateway/http-gateway.ts";
import { type Invocation, invokeFunction } from "./invoke.ts";
import type { EndedInvocation } from "./lambda/execution-environment.ts";
import type { KillPoint } from "./lambda/function-definition.ts";
import { InspectError, type InspectorDoor, openInspectorDoor } from "./lambda/inspector-door.ts";
import { type LambdaBackend, startLambdaApi } from "./lambda/lambda-api.ts";
import { createLambdaService, type WaitingTry } from "./lambda/lambda-service.ts";
import { createLogStore } from "./logs/log-store.ts";
import { startLogsEndpoint } from "./logs/logs-endpoint.ts";
import { createMetricStore } from "./metrics/metric-store.ts";
import { startMetricsEndpoint } from "./metrics/metrics-endpoint.ts";
import { provision } from "./provision.ts";
import type { QueueDepth } from "./queue/queue.ts";
import type { SentMessage } from "./queue/sent-messages.ts";
import { whatNeedsRestart } from "./reload/compare-services.ts";
import { neverReloads, type Reload } from "./reload/reload-state.ts";
import { startReload } from "./reload/start-reload.ts";
import { watchSources } from "./reload/watch-sources.ts";
import { runSchedules, type Schedules } from "./schedules/run-schedules.ts";
import { startSecretsEndpoint } from "./secrets-endpoint.ts";
import { type QueuedMessage, startSqsEndpoint } from "./sqs-endpoint.ts";
import { startStsEndpoint } from "./sts/sts-endpoint.ts";

export interface CloudOptions {
  /** Where the HTTP API and Lambda's API listen; 0, the default of each, takes any free port. */
  ports?: { readonly http?: number; readonly lambda?: number };
  /** Keeps queues, tables and secrets in this folder; in memory when absent. */
  dataFolder?: string;
  /** The folder of serverless.yml; this project's when absent. */
  serviceFolder?: string;
  /** Added to the environment of every function, and to what `${env:…}` in serverless.yml reads. */
  environment?: Record<string, string>;
  /** Gets what the functions and serverless write, line by line. */
  log?: (line: string) => void;
  /** Hears of each request to the HTTP API, when it is answered. */
  onExchange?: ((exchange: HttpExchange) => void) | undefined;
  /** Hears of each message that a queue was sent. */
  onSent?: ((message: SentMessage) => void) | undefined;
  /** Gets each line of a function's log, with the function's key in serverless.yml. */
  onLine?: (line: string, functionKey: string) => void;
  /** Gets each line that Lambda itself writes into a function's log. */
  onLambdaLine?: (line: string, functionKey: string) => void;
  /** Hears of each invocation that has ended. */
  onInvocation?: (ended: EndedInvocation, functionKey: string) => void;
  /** Gets each batch that a queue handed to a function, and what became of it. */
  onEvent?: (event: BatchEvent) => void;
  /** Batches of one queue at the same time, unless serverless.yml sets `maximumConcurrency`. Default 2. */
  concurrency?: number;
  /** Processes of one function at the same time; further invocations wait. Default 10, as in a new account. */
  functionConcurrency?: number;
  /** Stops a function's process between invocations, as Lambda does. Default false. */
  freeze?: boolean;
  /** Lets debuggers in: functions by their keys, and the port of 127.0.0.1 for each; 0 takes any free one. */
  inspect?: Readonly<Record<string, number>>;
  /** Takes each edit of the functions' source as it is made. Default false. */
  reload?: boolean;
  /** Retries failed messages at once, instead of after the visibility timeout. Default false. */
  retryImmediately?: boolean;
  /** In the place of every queue's declared visibility timeout. */
  visibilityTimeoutSeconds?: number;
  /** The time that queues, tables and flows go by, in milliseconds since 1970. The functions have the machine's. */
  now?: () => number;
  /** In the place of `now`: a clock that also calls back, so that what waits goes on as soon as it is moved. */
  clock?: SchedulingClock;
  /** Milliseconds that the functions' time, their log and their metrics are ahead of the machine's. Default: none. */
  aheadMs?: () => number;
  /** Whether the schedules of serverless.yml run by themselves. Default false. */
  runsSchedules?: boolean;
  /** Whether time is just being moved, by somebody who runs what is due. Default: never. */
  isTimeHeld?: () => boolean;
}

/** Addresses that stand for AWS services. */
export interface Endpoints {
  sqs: string;
  dynamodb: string;
  secretsManager: string;
  eventBridge: string;
  cloudWatch: string;
  lambda: string;
  cloudWatchLogs: string;
  cloudFormation: string;
  sts: string;
}

/** What an app's secret holds: what is needed to reach the app, what its webhooks carry, and more by name. */
export type AppSecretValue = Readonly<Record<string, unknown>> & { readonly appId: string };

/** The AWS side of the deployed service on this machine. Logical ids are those of serverless.yml. */
export interface Cloud {
  readonly httpUrl: string;
  readonly lambdaUrl: string;
  readonly region: string;
  readonly endpoints: Endpoints;
  readonly resources: Readonly<Record<string, CloudResource>>;
  readonly schedules: CloudReport["schedules"];
  /** The stack's outputs by name. */
  readonly outputs: CloudReport["outputs"];
  /** The executions of durable functions; functions by their deployed name. */
  readonly durable: DurableStore;
  /** Where a debugger reaches each function that may be looked into, by their keys: `127.0.0.1:9229`. */
  readonly inspectors: Readonly<Record<string, string>>;
  /** What became of edits of the source. */
  readonly reload: Reload;
  /** Where the bundles lie that are running. */
  readonly buildFolder: string;
  /** The folder of serverless.yml. */
  readonly serviceFolder: string;
  /** The functions' names, as they are deployed, by their keys in serverless.yml. */
  readonly functionNames: Readonly<Record<string, string>>;
  /** Runs a function by its key in serverless.yml and waits for its answer. */
  invoke(functionKey: string, payload: unknown): Promise<Invocation>;
  /** Kills every process of a function, as a power cut would; the next invocation starts a new one. */
  kill(functionKey: string): void;
  /** Kills the process of a function's next invocation at one of its outgoing requests. */
  killNext(functionKey: string, point: KillPoint): void;
  /**
   * Kills the process of an invocation whose payload is meant, at one of its outgoing requests, as soon as one comes to
   * it. Resolves when it has struck.
   */
  killWhen(functionKey: string, isMeant: (payload: string) => boolean, point: KillPoint): Promise<void>;
  /** Makes `value`, as JSON, the current version of a secret, named by logical id or name; creates it if needed. */
  putSecret(id: string, value: object): Promise<void>;
  /** The same for the secret of an app that the deployment serves. */
  putAppSecret(value: AppSecretValue): Promise<void>;
  /** Shows what was put onto the event bus, oldest first. */
  busEvents(): readonly PutEvent[];
  queueDepth(logicalId: string): QueueDepth;
  /** Shows every message of a queue, also those in flight, and takes none. */
  receiveAll(logicalId: string): QueuedMessage[];
  /** Resolves when no message waits in or is handled from the queues that feed functions; delayed ones may. */
  drained(options?: { timeoutMs?: number }): Promise<void>;
  /** Makes SQS unreachable, for the functions and everybody else. Messages stay. */
  stopQueue(): Promise<void>;
  startQueue(): Promise<void>;
  /** Makes DynamoDB unreachable. Items stay. */
  stopTables(): Promise<void>;
  startTables(): Promise<void>;
  /** Makes the next calls of DynamoDB fail, by default as throttled ones. */
  refuseTables(count: number, code?: string): void;
  /** Makes the next calls of SQS fail, by default as throttled ones. */
  refuseQueue(count: number, error?: { code: string; status: number }): void;
  /** Every function by its key in serverless.yml. */
  functionKeys(): readonly string[];
  /** What keeps the cloud's state, within this process. */
  readonly stores: CloudStores;
  /** What goes wrong on purpose. */
  readonly faults: CloudFaults;
  readonly scheduled: Schedules;
  /** Asynchronous invocations that failed and wait for their next try. */
  waitingTries(): readonly WaitingTry[];
  /** What falls due in queues and schedules, for whoever moves the clock. */
  readonly timeSources: readonly {
    nextAtMs(untilMs: number): number | undefined;
    runDue?(): Promise<void>;
  }[];
  /** Has everything look at the time again: it has jumped. */
  lookAgain(): void;
  /**
   * Resolves when nothing runs and no queue has a message that its function would be handed now, or after so long; gives
   * how many invocations have ended since the start. Default 30,000 ms.
   */
  settled(options?: { timeoutMs?: number }): Promise<number>;
  /**
   * Ends every process of the functions and lets none begin until `resume`, so that nothing can act on what is kept.
   * Resolves when all calls that they had sent are over, too.
   */
  halt(): Promise<void>;
  resume(): void;
  /** Takes all that is kept; at any time. */
  contents(): CloudContents;
  /** Puts contents in the place of all that is kept, and forgets metrics and log. Between `halt` and `resume`. */
  putBack(contents: CloudContents): void;
  /** Stops feeding functions from queues; resolves when running batches are done. */
  pauseConsumers(): Promise<void>;
  resumeConsumers(): void;
  /** Empties queues and tables. Secrets stay, as functions hold copies of them. */
  reset(): Promise<void>;
  /** Ends every process and server that was started. */
  close(): Promise<void>;
}

/** Starts queues, tables, secrets and functions as serverless.yml declares them. Takes about three seconds. */
export async function startCloud(options: CloudOptions = {}): Promise<Cloud> {
  const { dataFolder, environment = {}, functionConcurrency = 10, log = () => {} } = options;
  const { clock = watchClock(options.now ?? Date.now) } = options;
  const { now } = clock;
  const faults = createCloudFaults();
  const inFunctionsTime = () => Date.now() + (options.aheadMs?.() ?? 0);
  const within = <Name extends string>(key: Name, name: string) =>
    dataFolder === undefined ? {} : { [key]: join(dataFolder, name) };
  await using started = new AsyncDisposableStack();
  const { serviceFolder = findProjectFolder() } = options;
  const watch = options.reload
    ? started.adopt(watchSources(sourcesOf(serviceFolder)), (one) => one.close())
    : undefined;
  const built = started.adopt(
    await buildService({ serviceFolder, environment, log, snapshot: watch?.snapshot }),
    close,
  );
  const sqs = started.adopt(
    await startSqsEndpoint({
      ...within("dataFolder", "queues"),
      now,
      faults: faults.of("sqs"),
      onSent: options.onSent,
    }),
    close,
  );
  const dynamodb = started.adopt(
    await startDynamodbEndpoint({ ...within("dataFolder", "tables"), now, faults: faults.of("dynamodb") }),
    close,
  );
  const backend = Promise.withResolvers<LambdaBackend>();
  const secrets = started.adopt(
    await startSecretsEndpoint({
      ...within("file", "secrets.json"),
      now,
      faults: faults.of("secretsmanager"),
      callRotation: async (lambdaArn, call) => {
        const { lambda } = await backend.promise;
        const found = lambda.functions.find(({ arn }) => arn === lambdaArn);
        return (
          found !== undefined && (await lambda.invoke(found.key, JSON.stringify(call))).kind === "answered"
        );
      },
    }),
    close,
  );
  const bus = started.adopt(await startEventBusEndpoint(), close);
  const metrics = createMetricStore(inFunctionsTime);
  const cloudWatch = started.adopt(
    await startMetricsEndpoint({
      store: metrics,
      oldestMessageAtMs: (name) => sqs.peek(name).at(0)?.sentAtMs,
      now,
    }),
    close,
  );
  const logs = createLogStore(inFunctionsTime);
  const cloudWatchLogs = started.adopt(await startLogsEndpoint(logs), close);
  const durable = started.adopt(
    createDurableStore({
      now,
      ...(dataFolder !== undefined && { journal: openDurableJournal(join(dataFolder, "executions")) }),
      async invoke(functionName, input) {
        const { lambda } = await backend.promise;
        const found = lambda.functions.find(({ name }) => name === functionName);
        if (!found) throw new Error(`serverless.yml declares no function ${functionName} any more.`);
        return await lambda.invoke(found.key, JSON.stringify(input));
      },
    }),
    close,
  );
  const lambdaApi = started.adopt(
    await startLambdaApi(backend.promise, { port: options.ports?.lambda, faults: faults.of("lambda") }),
    close,
  );
  const stack = Promise.withResolvers<StackReport>();
  const cloudFormation = started.adopt(await startCloudformationEndpoint(stack.promise), close);
  const sts = started.adopt(await startStsEndpoint(), close);
  const routes = Promise.withResolvers<CloudReport["routes"]>();
  const gateway = started.adopt(
    await startHttpGateway(
      backend.promise.then(({ lambda: ready }) => ready),
      routes.promise,
      { onExchange: options.onExchange, port: options.ports?.http },
    ),
    close,
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
  const provisionOptions = {
    sqs,
    dynamodb,
    secrets,
    taskRoot: built.taskRoot,
    httpUrl: gateway.url,
    environment: { ...addressesOf(endpoints), ...environment },
    visibilityTimeoutSeconds: options.visibilityTimeoutSeconds,
  };
  const report = provision(built.definition, provisionOptions);
  const liveRoutes = [...report.routes];
  const redeclare = async () => {
    const { definition } = await built.resolveAgain();
    const now = provision(definition, provisionOptions);
    liveRoutes.splice(0, liveRoutes.length, ...now.routes);
    return { functions: now.functions, needsRestart: whatNeedsRestart(built.definition, definition) };
  };
  const keepLine = (message: string, { name }: { readonly name: string }) =>
    logs.add(`/aws/lambda/${name}`, { stream: "local/[$LATEST]", message });
  let endedInvocations = 0;
  const inspectors = new Map<string, InspectorDoor>();
  for (const [key, port] of Object.entries(options.inspect ?? {})) {
    if (!Object.hasOwn(built.definition.functions, key)) {
      const known = Object.keys(built.definition.functions).join(", ");
      throw new InspectError(`There is no function ${key} to debug. serverless.yml has ${known}.`);
    }
    inspectors.set(key, started.adopt(await openInspectorDoor(port), close));
  }
  const lambda = started.adopt(
    createLambdaService({
      functions: report.functions,
      concurrency: functionConcurrency,
      freezes: options.freeze ?? false,
      inspectors,
      aheadMs: options.aheadMs,
      clock,
      faults,
      log: (line, from) => {
        keepLine(line, from);
        metrics.readLine(line);
        log(line);
        options.onLine?.(line, from.key);
      },
      logOfLambda: (line, from) => {
        keepLine(line, from);
        options.onLambdaLine?.(line, from.key);
      },
      onInvocation: (ended, { key, name }) => {
        const { durationMs, hasFailed } = ended;
        endedInvocations += 1;
        const measured = { Invocations: 1, Errors: hasFailed ? 1 : 0, Throttles: 0, Duration: durationMs };
        for (const [metric, value] of Object.entries(measured)) {
          metrics.add({ namespace: "AWS/Lambda", name: metric, dimensions: { FunctionName: name } }, value);
        }
        options.onInvocation?.(ended, key);
      },
      buildFolder: built.folder,
    }),
    close,
  );
  backend.resolve({ lambda, durable });
  for (const { name } of report.functions) logs.createGroup(`/aws/lambda/${name}`);
  routes.resolve(liveRoutes);
  // Before the functions: nothing is asked of them any more while they end.
  started.defer(() => gateway.close());
  const outputs = { ...report.outputs, HttpApiUrl: gateway.url };
  stack.resolve(reportStack(built.definition, { ...report, outputs }, new Date(now())));
  const consumers = started.adopt(
    startConsumers(
      report,
      { sqs, lambda },
      {
        ...options,
        now,
        functionConcurrency,
        isSingle: (key) => inspectors.has(key),
        doubles: faults.doubles,
      },
    ),
    close,
  );
  started.defer(driveDurableStore(durable, clock));
  // The first delivery is not to wait for processes that can be there by then.
  const firstWanted = options.reload
    ? [report.routes[0], report.mappings[0]].map((one) => one?.functionKey)
    : [];
  for (const key of new Set([...firstWanted, ...inspectors.keys()])) {
    if (key !== undefined) lambda.warm(key).catch(() => {}); // its invocation tells what is wrong
  }
  const reload =
    watch === undefined ? neverReloads : startReload({ serviceFolder, built, lambda, watch, redeclare, log });
  started.defer(() => watch?.close());
  const { region, resources, schedules, mappings } = report;
  const scheduled = runSchedules(schedules, {
    ...{ now, region, isOn: options.runsSchedules ?? false },
    isHeld: () => isHalted || (options.isTimeHeld?.() ?? false),
    invoke: lambda.invokeAsync,
  });
  started.defer(() => scheduled.close());
  let isHalted = false;
  const stores: CloudStores = { queues: sqs.service, tables: dynamodb.service, secrets, durable };
  const everything = started.move();

  const fedQueues = mappings.map(({ queueName }) => sqs.service.get(queueName).queue);
  const isQuiet = () =>
    !consumers.areBusy() &&
    !lambda.isBusy() &&
    (consumers.arePaused || !sqs.isReachable || !fedQueues.some((queue) => queue.hasReady()));
  const nameOf = (logicalId: string) => {
    const resource = resources[logicalId];
    if (resource) return resource.name;
    throw new Error(`serverless.yml declares no ${logicalId}. It has ${Object.keys(resources).join(", ")}.`);
  };
  return {
    httpUrl: gateway.url,
    lambdaUrl: lambdaApi.url,
    region,
    endpoints,
    resources,
    schedules,
    outputs,
    durable,
    reload,
    inspectors: Object.fromEntries([...inspectors].map(([key, { port }]) => [key, `127.0.0.1:${port}`])),
    buildFolder: built.folder,
    serviceFolder,
    functionNames: Object.fromEntries(report.functions.map(({ key, name }) => [key, name])),
    invoke: (functionKey, payload) => invokeFunction(lambda, functionKey, payload),
    kill: (functionKey) => lambda.kill(functionKey),
    killNext: (functionKey, point) => lambda.killNext(functionKey, point),
    killWhen: (functionKey, isMeant, point) => lambda.killWhen(functionKey, isMeant, point),
    putSecret: async (id, value) => secrets.put(resources[id]?.name ?? id, value),
    putAppSecret: async (value) => secrets.put(`${report.outputs.SecretPrefix}/${value.appId}`, value),
    busEvents: () => bus.events,
    queueDepth: (logicalId) => sqs.depth(nameOf(logicalId)),
    receiveAll: (logicalId) => sqs.peek(nameOf(logicalId)),
    async drained({ timeoutMs = 60_000 } = {}) {
      const deadline = performance.now() + timeoutMs;
      const waiting = () =>
        Object.entries(resources).filter(
          ([, { name, arn }]) =>
            mappings.some(({ queueArn }) => queueArn === arn) && countOf(sqs.depth(name)) > 0,
        );
      while (waiting().length > 0 || consumers.areBusy()) {
        if (performance.now() > deadline) {
          const depths = waiting().map(([id, { name }]) => `${id} ${JSON.stringify(sqs.depth(name))}`);
          throw new Error(`Messages are left after ${timeoutMs} ms: ${depths.join(", ") || "a batch runs"}.`);
        }
        await timers.setTimeout(10);
      }
    },
    stopQueue: () => sqs.stop(),
    startQueue: () => sqs.start(),
    stopTables: () => dynamodb.stop(),
    startTables: () => dynamodb.start(),
    refuseTables: (count, code) => dynamodb.service.refuseNext(count, code),
    refuseQueue: (count, error) => sqs.refuseNext(count, error),
    functionKeys: () => lambda.functions.map(({ key }) => key),
    stores,
    faults,
    scheduled,
    waitingTries: () => lambda.waitingTries(),
    timeSources: [
      ...fedQueues.map((queue) => ({ nextAtMs: () => queue.nextChangeAtMs() })),
      ...scheduled.sources,
    ],
    lookAgain() {
      for (const queue of fedQueues) queue.notify();
    },
    async settled({ timeoutMs = 30_000 } = {}) {
      const giveUpAt = performance.now() + timeoutMs;
      while (!isQuiet() && performance.now() < giveUpAt) await timers.setTimeout(5);
      return endedInvocations;
    },
    async halt() {
      isHalted = true;
      durable.pause();
      await Promise.all([lambda.halt(), consumers.pause()]);
      await durable.idle();
      // What the processes had sent before they ended is read, and acts, before anything else is put here.
      for (let turn = 0; turn < 20; turn += 1) await timers.setImmediate();
    },
    resume() {
      isHalted = false;
      scheduled.startAnew();
      lambda.resume();
      durable.resume();
      consumers.resume();
    },
    contents: () => takeContents(stores),
    putBack(contents) {
      metrics.clear();
      logs.clear();
      putContentsBack(stores, contents);
    },
    pauseConsumers: () => consumers.pause(),
    resumeConsumers: () => consumers.resume(),
    async reset() {
      metrics.clear();
      logs.clear();
      durable.clear();
      for (const { type, name } of Object.values(resources)) {
        if (type === "queue") sqs.reset(name);
        if (type === "table") await dynamodb.reset(name);
      }
    },
    close: () => everything.disposeAsync(),
  };
}

/** The addresses by the variables that AWS's clients read. */
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

function close(started: { close(): Promise<void> }): Promise<void> {
  return started.close();
}

function countOf({ visible, inFlight }: QueueDepth): number {
  return visible + inFlight;
}
