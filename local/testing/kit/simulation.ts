import { isRecord } from "../../../lib/base/json.ts";
import { eachLevel, type Log } from "../../../lib/base/log.ts";
import { sameForEveryApp } from "../../../lib/chat/settings-from.ts";
import type { EffectEdges } from "../../../lib/effects/effect-services.ts";
import type { createFlowRunner } from "../../../lib/flows/build-flow-runner.ts";
import { consume, createConsumer } from "../../../lib/handle/build-consumer.ts";
import type { TriggerTable } from "../../../lib/handle/on-trigger.ts";
import {
  type AppAddition,
  createMemoryPlatform,
  type MemoryPlatform,
} from "../../platform/create-memory-platform.ts";
import { createVirtualClock } from "../../platform/services/clock.ts";
import { type Aws, createAws, queueNames, queueUrlOf } from "../simulated/aws.ts";
import { createLambda, type Lambda, type LambdaOptions } from "../simulated/lambda.ts";
import { createProcess, type Process } from "../simulated/process.ts";
import { createRandom, type Random } from "../simulated/random.ts";
import type { StoryOptions } from "../story-options.ts";
import type { LogLine } from "../story-outcome.ts";
import { collectLog } from "./collect-log.ts";
import { createCrashes } from "./crashes.ts";
import { createFetch, createSendOutside, type Exchange, edgeOf, exchange } from "./exchanges.ts";
import { guardKey } from "./guard-key.ts";
import { createKitClock, type KitClock, limitMs } from "./kit-clock.ts";
import { createKitFlows, type KitFlows } from "./kit-flows.ts";
import { loopGuardSecretId, secretPrefix, settingsFor, withSettings } from "./kit-settings.ts";
import { setShadow } from "./kit-tables.ts";
import { readRequestRules } from "./read-request-rules.ts";

export interface SimulationOptions extends Omit<StoryOptions, "app" | "clock" | "crash" | "later"> {
  readonly crash?: StoryOptions["crash"];
  readonly triggers: TriggerTable;
  readonly apps: readonly AppAddition[];
  readonly startMs: number;
}

export interface Simulation {
  readonly clock: KitClock;
  readonly aws: Aws;
  readonly flows: KitFlows;
  readonly platform: MemoryPlatform;
  readonly exchanges: readonly Exchange[];
  readonly asked: readonly Exchange[];
  readonly lines: readonly LogLine[];
  readonly counts: ReadonlyMap<string, number>;
  readonly edges: readonly string[];
  /** `after POST /messages` */
  readonly struck: readonly string[];
  /** Puts a message into the events queue. */
  enqueue(message: Readonly<Record<string, unknown>>): void;
  later(atMs: number, act: () => void | Promise<void>): void;
  /** Starts a custom function's process, whose requests take no time. */
  startFunction<T>(build: (edges: EffectEdges) => T): { readonly process: Process; readonly built: T };
  /**
   * Until everything is handled and no flow can continue, `untilMs`, or `isOver`.
   * @throws Error for an endless story, and for a flow that the test lacks
   */
  run(untilMs: number, isOver?: () => boolean): Promise<void>;
  assertCrashed(): void;
}

const timeoutMs = 60_000;
const lambdaUrl = "https://lambda.";

export async function createSimulation(options: SimulationOptions): Promise<Simulation> {
  const { triggers, apps, startMs, flows: table = [], crash = [], mostTurns = 100 } = options;
  const { outside = () => Response.json({}), allowedHosts = [] } = options;
  const clock = createKitClock(startMs);
  const { platform, secrets, answer } = createKitPlatform(options, clock);
  const crashes = createCrashes([crash].flat());
  const createRunner = table.length === 0 ? undefined : await loadFlowRunner();
  const exchanges: Exchange[] = [];
  const asked: Exchange[] = [];
  const { lines, counts, log, count } = collectLog();
  const aws = createAws({ clock, secretOf: (id) => secrets.get(id) });
  const random = createRandom(1);
  const rules = sameForEveryApp(await readRequestRules(process.cwd(), apps[0]?.appId ?? "", allowedHosts));

  const settings = { ...settingsFor(aws), ENABLED_TRIGGERS: Object.keys(triggers).join(",") };
  const edgesOf = (process: Process): EffectEdges => ({
    sendOutside: createSendOutside(process, clock, (one) => exchange(one, asked, outside, clock.now)),
    fetch: createFetch(process, clock, (one) => exchange(one, exchanges, answer, clock.now)),
    fetchFile: createFetch(process, clock, answer),
    ...createEdges(process, { clock, aws, flows, secrets, random }),
    log,
    count,
  });
  const createKitProcess = (name: string) => createProcess(name, clock, crashes.strikeAt);
  const flows = createKitFlows({
    clock,
    flows: table,
    mostTurns,
    createProcess: createKitProcess,
    startHandler: (process) => {
      if (createRunner === undefined) throw new Error("This story was made without flows.");
      return withSettings(settings, () => createRunner(table, rules, edgesOf(process)));
    },
  });
  const lambda = createConsumerLambda(aws, clock, createKitProcess, (process) => {
    const handled = watched(triggers, process, clock);
    const consumer = withSettings(settings, () =>
      createConsumer(handled, rules, table, undefined, edgesOf(process)),
    );
    return (records, remainingMs) => consume(consumer, records, remainingMs);
  });
  const agenda = createAgenda(clock);
  let functions = 0;
  const isIdle = () => agenda.isEmpty() && flows.isIdle() && lambda.running() === 0 && areEmpty(aws);

  if (options.shadow) for (const { appId } of apps) setShadow(aws, appId, Object.keys(triggers), table);

  return {
    clock,
    aws,
    flows,
    platform,
    exchanges,
    asked,
    lines,
    counts,
    edges: crashes.edges,
    struck: crashes.struck,
    enqueue(message) {
      aws.queues.call("SendMessage", { QueueUrl: queueUrlOf(aws, queueNames.events), ...message });
    },
    later: agenda.add,
    startFunction: (build) => {
      // Tokens contain it.
      const process = createKitProcess(`function-${++functions}`);
      const ask = (request: Request) => exchange(request, exchanges, answer, clock.now);
      const edges = { ...edgesOf(process), ...createInstantEdges(process, { aws, clock, flows, log, ask }) };
      return { process, built: withSettings(settings, () => build(edges)) };
    },
    run: (untilMs, isOver = () => false) => run(clock, flows, untilMs, () => isOver() || isIdle()),
    assertCrashed: crashes.assertStruck,
  };
}

async function run(clock: KitClock, flows: KitFlows, untilMs: number, isDone: () => boolean) {
  await clock.run({ untilMs, isOver: () => flows.trouble() !== undefined || isDone() });
  flows.stop();
  const trouble = flows.trouble();
  if (trouble !== undefined) throw new Error(trouble);
}

/** With the apps, and their secrets. */
function createKitPlatform({ apps, startMs, ...options }: SimulationOptions, clock: KitClock) {
  const platformClock = createVirtualClock(startMs);
  const platform = createMemoryPlatform({ clock: platformClock });
  const secrets = new Map([[loopGuardSecretId, guardKey]]);
  for (const app of apps) {
    platform.add(app);
    const { appId, region = "us", fullAccessKey: apiKey = platform.keys.fullAccessKey } = app;
    const secret = JSON.stringify({ appId, region, apiKey, ...options.secrets });
    secrets.set(`${secretPrefix}/${appId}`, secret);
  }
  const answer = async (request: Request): Promise<Response> => {
    const own = await options.answer?.(request.clone());
    if (own !== undefined) return own;
    await platformClock.advance(clock.now() - platformClock.now());
    return platform.fetch(request);
  };
  return { platform, secrets, answer };
}

function createAgenda(clock: KitClock) {
  let ahead = 0;
  return {
    isEmpty: () => ahead === 0,
    add: (atMs: number, act: () => void | Promise<void>) => {
      ahead += 1;
      clock.at(atMs, () => void clock.outside(Promise.resolve(act())).finally(() => ahead--));
    },
  };
}

const sources = [queueNames.events, queueNames.calls, queueNames.parkedLanes];

function createConsumerLambda(
  aws: Aws,
  clock: KitClock,
  createProcess: (name: string) => Process,
  startHandler: LambdaOptions["startHandler"],
): Lambda {
  const always = { random: () => 0, pollAfterMs: () => 0 };
  const lambda = createLambda({ clock, timeoutMs, createProcess, startHandler, ...always });
  for (const name of sources) {
    const batchSize = name === queueNames.parkedLanes ? 1 : 10;
    lambda.addSource({ queue: aws.queues.get(name), batchSize, maximumConcurrency: 50 });
  }
  return lambda;
}

type Secrets = ReadonlyMap<string, string>;

function createEdges(
  process: Process,
  simulation: Pick<Simulation, "clock" | "aws" | "flows"> & {
    readonly secrets: Secrets;
    readonly random: Random;
  },
) {
  const { clock, aws, flows, secrets, random } = simulation;
  const { now } = clock;
  let tokens = 0;
  const sleep = (ms: number, signal?: AbortSignal) =>
    process.edge("sleep", () => clock.sleep(ms, signal), ms <= limitMs);
  const postToAws = aws.createPostOf(process);
  const postToLambda = flows.postOf(process);
  const createPost = (url: string) => (url.startsWith(lambdaUrl) ? postToLambda : postToAws(url));
  return {
    aws: { now, createPost, sleep, random },
    readSecret: (id: string, stage?: string) =>
      process.edge("secret", async () => readSecret(secrets, id, stage)),
    token: () => `${process.name}-${++tokens}`,
    now,
    sleep,
    random,
  };
}

function createInstantEdges(
  process: Process,
  simulation: Pick<Simulation, "aws" | "clock" | "flows"> & {
    readonly log: Log;
    readonly ask: (request: Request) => Promise<Response>;
  },
) {
  const { aws, clock, flows } = simulation;
  const sleep = async () => {};
  const fetch: EffectEdges["fetch"] = (input, init) => {
    const request = new Request(input, init);
    return process.edge(edgeOf(request), () => simulation.ask(request));
  };
  const log = eachLevel((level) => (message, fields) => {
    if (process.isAlive()) simulation.log[level](message, fields);
  });
  const postToLambda = flows.instantPostOf(process);
  const postToAws = aws.createInstantPostOf(process);
  const createPost = (url: string) => (url.startsWith(lambdaUrl) ? postToLambda : postToAws);
  return { aws: { now: clock.now, createPost, sleep, random: () => 0 }, sleep, fetch, log };
}

function areEmpty(aws: Aws) {
  return sources.every((name) => {
    const { visible, inFlight, delayed } = aws.queues.get(name).queue.depth();
    return visible + inFlight + delayed === 0;
  });
}

function readSecret(secrets: Secrets, id: string, stage: string | undefined) {
  const value = stage === undefined ? secrets.get(id) : undefined;
  if (value !== undefined) return value;
  throw Object.assign(new Error("There is no such version."), { name: "ResourceNotFoundException" });
}

function watched(triggers: TriggerTable, process: Process, clock: KitClock): TriggerTable {
  return Object.fromEntries(
    Object.entries(triggers).map(([name, trigger]) => [
      name,
      {
        ...trigger,
        run: async (context) => {
          const leave = clock.enter();
          process.onDeath(leave);
          try {
            await trigger.run(context);
          } finally {
            leave();
          }
        },
      },
    ]),
  );
}

/** Loaded only for runs with flows. @throws Error if the SDK is not installed */
async function loadFlowRunner(): Promise<typeof createFlowRunner> {
  try {
    return (await import("../../../lib/flows/build-flow-runner.ts")).createFlowRunner;
  } catch (error) {
    if (!isRecord(error) || error.code !== "ERR_MODULE_NOT_FOUND") throw error;
    const help = "npm install --save-dev @aws/durable-execution-sdk-js";
    throw new Error(`Flows are played with a package that is not installed: ${help}`, { cause: error });
  }
}
