import { addressesOutput } from "../../build/addresses.ts";
import { findProjectFolder } from "../../build/folders.ts";
import { type BuiltService, buildService } from "./build/build-service.ts";
import { sourcesOf } from "./build/source-snapshot.ts";
import type { CloudOptions } from "./cloud-options.ts";
import type { CloudReport } from "./cloud-report.ts";
import { type CloudServices, startCloudServices } from "./cloud-services.ts";
import { queueControls, runControls, stateControls } from "./cloud-state.ts";
import { logicalName, reportStack } from "./cloudformation/stack-report.ts";
import { startConsumers } from "./consumers.ts";
import { driveDurableStore } from "./durable/drive-durable-store.ts";
import { startFunctionUrls } from "./gateway/function-url.ts";
import { Mappings } from "./mappings.ts";
import { provision } from "./provision.ts";
import { listRestartReasons } from "./reload/compare-services.ts";
import { noReload, type Reload } from "./reload/reload-state.ts";
import { startReload } from "./reload/start-reload.ts";
import { SourceWatch } from "./reload/watch-sources.ts";
import { runSchedules } from "./schedules/run-schedules.ts";
import { functionControls, openInspectors, startLambda, warmFirst } from "./start-lambda.ts";

export type Cloud = Awaited<ReturnType<typeof startCloud>>;

/** Stored in a separate secret (docs/deploy.md#the-apps-secrets). */
const webhookField =
  /^((webhook|legacy|bot|notification|extension|moderation)(Username|Password)|webhookS(ecret|ignature)|replacedWebhookPassword(Until)?)$/;

export type AppSecretValue = Readonly<Record<string, unknown>> & { readonly appId: string };

export async function startCloud(options: CloudOptions = {}) {
  await using started = new AsyncDisposableStack();
  const deployed = await deploy(options, started);
  const { built, services, lambda, report, outputs, httpUrl, functionUrls, inspectors, state } = deployed;
  const { durable, faults, clock, endpoints } = services;
  const consumers = started.adopt(startConsumers(deployed, options), (one) => one.pause());
  started.defer(driveDurableStore(durable, clock));
  warmFirst(lambda, options.reload ? report : undefined, inspectors);
  const describeOlder = () => services.versions.describeOlder(durable.peek(), lambda.functions);
  const { watch } = deployed;
  const reload = watch ? startReload({ ...deployed, watch, describeOlder }) : noReload;
  deployed.noteUpdates(reload);
  const { region, resources, schedules, ignored } = report;
  const scheduled = runSchedules(schedules, {
    now: clock.now,
    region,
    isOn: options.runsSchedules ?? false,
    isHeld: () => state.isHalted || (options.isTimeHeld?.() ?? false),
    invoke: (key, payload) => lambda.invokeAsync(key, payload),
  });
  started.defer(() => scheduled.close());
  const everything = started.move();
  const functionNames = Object.fromEntries(report.functions.map(({ key, name }) => [key, name]));
  return {
    httpUrl,
    lambdaUrl: endpoints.AWS_ENDPOINT_URL_LAMBDA,
    endpoints,
    region,
    serviceFolder: deployed.serviceFolder,
    resources,
    schedules,
    ignored,
    outputs,
    durable,
    faults,
    scheduled,
    reload,
    describeOlder,
    inspectors: Object.fromEntries([...inspectors].map(([key, { port }]) => [key, `127.0.0.1:${port}`])),
    buildFolder: built.folder,
    functionNames,
    functionUrls,
    functionKeys: () => Object.keys(functionNames),
    environmentOf: (key: string) => report.functions.find((one) => one.key === key)?.environment ?? {},
    ...functionControls(lambda),
    ...secretControls(services, report),
    ...queueControls(services, report, consumers),
    ...runControls({ services, report, consumers, lambda, scheduled, state }),
    ...stateControls(services),
    close: () => everything.disposeAsync(),
  };
}

async function deploy(options: CloudOptions, started: AsyncDisposableStack) {
  const { environment = {}, log = () => {}, serviceFolder = findProjectFolder() } = options;
  const watch = options.reload ? new SourceWatch(sourcesOf(serviceFolder)) : undefined;
  started.defer(() => watch?.close());
  const built = started.adopt(
    await buildService({ serviceFolder, environment, log, snapshot: watch?.snapshot }),
    (one) => one.close(),
  );
  const services = await startCloudServices(options, built.folder, started);
  const { gateway, clock, logs, endpoints } = services;
  const { urlServers, functionUrls } = await openFunctionUrls(built, services, options, started);
  const provisionOptions = {
    ...services,
    taskRoot: built.taskRoot,
    httpUrl: gateway.url,
    functionUrls,
    environment: { ...endpoints, ...environment },
    visibilityTimeoutSeconds: options.visibilityTimeoutSeconds,
  };
  const report = provision(built.definition, provisionOptions);
  const state = { endedInvocations: 0, isHalted: false };
  const inspectors = await openInspectors(options, built, started);
  const lambda = started.adopt(
    startLambda(options, services, { report, inspectors, buildFolder: built.folder, counts: state }),
    (one) => one.close(),
  );
  for (const { name } of report.functions) logs.createGroup(`/aws/lambda/${name}`);
  const { httpUrl, outputs } = outputsOf(report, gateway.url, functionUrls);
  let updatedAt: () => Date | undefined = () => undefined;
  const stack = {
    ...reportStack(built.definition, { ...report, outputs }, new Date(clock.now())),
    updatedAt: () => updatedAt(),
  };
  const routes = [...report.routes];
  const stageSettings = { ...report.stageSettings };
  const mappings = new Mappings(report.mappings);
  services.deploy({ lambda, routes, stageSettings, stack, mappings });
  // Closed before the functions, which then get no requests.
  for (const server of [gateway, ...urlServers]) started.defer(() => server.close());
  const redeclare = async () => {
    const { definition } = await built.resolveAgain();
    const declared = provision(definition, provisionOptions);
    const running = new Set(report.functions.map(({ key }) => key));
    routes.splice(0, routes.length, ...declared.routes.filter((route) => running.has(route.functionKey)));
    const unlimited = { DefaultRouteSettings: undefined, RouteSettings: undefined };
    Object.assign(stageSettings, unlimited, declared.stageSettings);
    return {
      functions: declared.functions,
      needsRestart: listRestartReasons(built.definition, definition),
    };
  };
  const noteUpdates = (reload: Reload) => {
    updatedAt = latestReload(reload, clock.now);
  };
  return {
    serviceFolder,
    watch,
    built,
    services,
    report,
    state,
    inspectors,
    lambda,
    mappings,
    log,
    outputs,
    httpUrl,
    functionUrls,
    redeclare,
    noteUpdates,
  };
}

async function openFunctionUrls(
  { definition }: Pick<BuiltService, "definition">,
  { lambda, functionsNow }: CloudServices,
  { functionPorts }: CloudOptions,
  started: AsyncDisposableStack,
) {
  const servers = await startFunctionUrls(definition, lambda, functionsNow, functionPorts);
  for (const server of servers.values()) started.defer(() => server.close());
  const urls = [...servers].map(([key, { url }]) => [key, `${url}/`] as const);
  return { urlServers: [...servers.values()], functionUrls: Object.fromEntries<string>(urls) };
}

function outputsOf({ outputs }: CloudReport, gatewayUrl: string, functionUrls: Record<string, string>) {
  const [address = ""] = (outputs[addressesOutput] ?? "").split(",");
  const HttpApiUrl = address === "" ? gatewayUrl : `${gatewayUrl}/${address}`;
  const ofFunctions = Object.entries(functionUrls).map(([key, url]) => [
    `${logicalName(key)}LambdaFunctionUrl`,
    url,
  ]);
  return { httpUrl: HttpApiUrl, outputs: { ...outputs, HttpApiUrl, ...Object.fromEntries(ofFunctions) } };
}

function latestReload(reload: Reload, now: () => number): () => Date | undefined {
  let { revision } = reload.state();
  let at: Date | undefined;
  reload.subscribe((state) => {
    if (state.revision > revision) at = new Date(now());
    revision = state.revision;
  });
  return () => at;
}

function secretControls({ secrets }: Pick<CloudServices, "secrets">, report: CloudReport) {
  return {
    /** Writes a secret as JSON; `id` is logical id or name. Creates it if needed. */
    putSecret: async (id: string, value: object) => secrets.put(report.resources[id]?.name ?? id, value),
    /** Writes the two secrets of a served app. */
    putAppSecret: async (value: AppSecretValue) => {
      const { appId } = value;
      const id = `${report.outputs.SecretPrefix}/${appId}`;
      const { app = [], webhook } = Object.groupBy(Object.entries(value), ([name]) =>
        webhookField.test(name) ? "webhook" : "app",
      );
      secrets.put(id, Object.fromEntries(app));
      if (webhook !== undefined) secrets.put(`${id}/webhook`, { appId, ...Object.fromEntries(webhook) });
    },
  };
}
