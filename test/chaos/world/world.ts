import { createAwsCaller } from "../../../lib/aws/aws-call.ts";
import { readAwsEnvironment } from "../../../lib/base/config.ts";
import { sameForEveryApp } from "../../../lib/chat/settings-from.ts";
import type { EffectEdges } from "../../../lib/effects/effect-services.ts";
import type { FlowTable } from "../../../lib/flows/define-flow.ts";
import { consume, createConsumer } from "../../../lib/handle/build-consumer.ts";
import type { TriggerTable } from "../../../lib/handle/on-trigger.ts";
import { deadLetters } from "../../../lib/queue/dead-letter.ts";
import type { OperatorServices } from "../../../lib/queue/operator-services.ts";
import { type Aws, addressesIn, queueNames, queueUrlOf } from "../../../local/testing/simulated/aws.ts";
import { type Clock, createClock, epochMs } from "../../../local/testing/simulated/clock.ts";
import { createLambda, type Lambda } from "../../../local/testing/simulated/lambda.ts";
import { createProcess, type Process, type StrikeAt } from "../../../local/testing/simulated/process.ts";
import { between, createRandom, type Random } from "../../../local/testing/simulated/random.ts";
import { type ChatPlatform, type ChatRequest, createChatPlatform, type Reception } from "./chat-platform.ts";
import type { Fate } from "./faults.ts";
import { createFaultyAws, type FaultyAws } from "./faulty-aws.ts";
import { createTriggers, type Diary } from "./handlers.ts";
import { startReceiver, webhookLogin } from "./receiver.ts";
import { createSender, type Delivered, type Fact } from "./sender.ts";
import { useVirtualTimeouts } from "./virtual-timeouts.ts";

export type LogLevel = "debug" | "info" | "warn" | "error";

export interface WorldOptions {
  readonly seed: number;
  readonly appIds?: readonly string[];
  /** The state of the chat platform. Default: healthy. */
  readonly receptionOf?: (request: ChatRequest, nowMs: number, random: Random) => Reception;
  readonly listLagMs?: number;
  /** The fate of requests to AWS. Default: they are answered. */
  readonly fateOf?: (operation: string, body: string, nowMs: number, random: Random) => Fate;
  /** What happens to processes at their edges. Default: nothing. */
  readonly strikeAt?: (
    operation: string,
    process: Process,
    random: Random,
    nowMs: number,
  ) => ReturnType<StrikeAt>;
  /** Returns whether Secrets Manager answers. Default: always. */
  readonly readsSecret?: (nowMs: number) => boolean;
  /** Wrong contents of the apps' secrets. Default: none. */
  readonly secretMistakeAt?: (nowMs: number) => Readonly<Record<string, string>> | undefined;
  readonly losesDeletion?: (random: Random) => boolean;
  readonly killAfterMs?: (random: Random) => number | undefined;
  /** When no consumer runs, in ms since the start; tickets are taken a minute later. Default: never. */
  readonly standstill?: { readonly fromMs: number; readonly toMs: number };
  readonly pollAfterMs?: (random: Random) => number;
  readonly enabledTriggers?: string;
  /** Instead of those of handlers.ts. */
  readonly triggersOf?: (process: Process, clock: Clock) => TriggerTable;
  /** Default: none. They are woken, and do not run. */
  readonly flows?: FlowTable;
  readonly settings?: Readonly<Record<string, string>>;
  readonly maximumConcurrency?: number;
  /** Receives every line of the consumers' logs. */
  readonly onLog?: (level: LogLevel, message: string, fields: object) => void;
  /** Receives all that the consumers count. */
  readonly onCount?: (name: string) => void;
}

/** The system in virtual time: the real receiver and consumer between models of AWS and the platform. */
export interface World {
  readonly seed: number;
  readonly clock: Clock;
  readonly random: Random;
  readonly aws: FaultyAws;
  readonly platform: ChatPlatform;
  readonly lambda: Lambda;
  readonly diary: Diary;
  readonly delivered: ReadonlyMap<string, Delivered>;
  /** Occurrences by id in the order in which the events queue first accepted them, with that moment. */
  readonly enqueued: ReadonlyMap<string, number>;
  /** How often each line was logged. */
  readonly logged: ReadonlyMap<string, number>;
  send(fact: Partial<Fact> & Pick<Fact, "id" | "conversation" | "atMs">): void;
  /** Lets time pass until everything is handled, at most until then. Milliseconds since the start. */
  run(untilMs: number): Promise<void>;
  /**
   * Runs an operator's command in its own process that can be struck like any other. Returns undefined if it
   * crashed. Time passes until it ends; the rest of the world continues meanwhile.
   */
  operate<T>(command: (services: OperatorServices) => Promise<T>): Promise<T | undefined>;
  /** Replays dead letters, as `operate` does. */
  replay(
    options?: Parameters<typeof deadLetters.replay>[0],
  ): Promise<Awaited<ReturnType<typeof deadLetters.replay>> | undefined>;
  /** Restores this process's globals. */
  close(): void;
}

/** As in serverless.yml. */
const timeoutMs = 60_000;

export function createWorld(options: WorldOptions): World {
  const { seed, appIds = ["app-1"], receptionOf, fateOf, strikeAt, maximumConcurrency = 50 } = options;
  const random = createRandom(seed);
  const clock = createClock();
  const enqueued = new Map<string, number>();
  const logged = new Map<string, number>();
  const diary: Diary = { begun: new Map(), audited: new Map(), isMended: false };

  const aws = createFaultyAws({
    clock,
    random,
    fateOf: (operation, body) => fateOf?.(operation, body, clock.now(), random) ?? "answered",
    secretOf: (id) => secretOf(id, appIds),
    onSent: (queue, body) => {
      const id = queue === queueNames.events ? factIdIn(body) : undefined;
      if (id !== undefined && !enqueued.has(id)) enqueued.set(id, clock.now());
    },
  });
  const restoreSettings = useSettings({ ...settingsFor(aws, options), ...options.settings });
  const restoreTimeouts = useVirtualTimeouts(clock);
  const platform = createChatPlatform({
    clock,
    random,
    receptionOf: (request) => receptionOf?.(request, clock.now(), random) ?? { kind: "well" },
    ...(options.listLagMs !== undefined && { listLagMs: options.listLagMs }),
  });
  const newProcess = (name: string) =>
    createProcess(
      name,
      clock,
      (operation, process) => strikeAt?.(operation, process, random, clock.now()) ?? "none",
    );

  const log = (level: LogLevel) => (message: string, fields: object) => {
    logged.set(message, (logged.get(message) ?? 0) + 1);
    options.onLog?.(level, message, fields);
    if (process.env.CHAOS_LOG)
      console.log((clock.now() - epochMs) / 1000, level, message, JSON.stringify(fields));
  };
  const lambda = createLambda({
    clock,
    random,
    timeoutMs,
    createProcess: newProcess,
    losesDeletion: () => options.losesDeletion?.(random) ?? false,
    killAfterMs: () => options.killAfterMs?.(random),
    standsStillUntilMs: (queue) =>
      standstillEndAt(
        clock.now() - epochMs,
        queue === queueNames.parkedLanes ? 60_000 : 0,
        options.standstill,
      ),
    ...(options.pollAfterMs && { pollAfterMs: options.pollAfterMs }),
    startHandler: (process) => {
      const own = createRandom(Math.floor(random() * 2 ** 32));
      let tokens = 0;
      const sleep = (ms: number, signal?: AbortSignal) =>
        process.edge("sleep", () => clock.sleep(ms, signal));
      const edges: EffectEdges = {
        sendOutside: async () => {
          throw new Error("No handler here asks another host.");
        },
        aws: { now: clock.now, createPost: aws.createPostOf(process), sleep, random: own },
        fetch: platform.fetchOf(process),
        readSecret: (id, stage) =>
          process.edge("secret", async () => {
            await clock.sleep(between(random, 5, 20));
            if (stage !== undefined)
              throw Object.assign(new Error("none"), { name: "ResourceNotFoundException" });
            if (options.readsSecret?.(clock.now()) ?? true)
              return secretOf(id, appIds, options.secretMistakeAt?.(clock.now()));
            throw Object.assign(new Error("internal"), {
              name: "InternalServiceError",
              $fault: "server",
              $metadata: {},
            });
          }),
        now: clock.now,
        sleep,
        random: own,
        token: () => {
          tokens += 1;
          return `${process.name}-${tokens}`;
        },
        log: { debug: log("debug"), info: log("info"), warn: log("warn"), error: log("error") },
        count: (name) => options.onCount?.(name),
      };
      const triggers = options.triggersOf?.(process, clock) ?? createTriggers(process, clock, diary);
      const rules = sameForEveryApp({ allowedHosts: [] });
      const consumer = createConsumer(triggers, rules, options.flows, undefined, edges);
      return (records, remainingMs) => consume(consumer, records, remainingMs);
    },
  });
  for (const [name, batchSize] of [
    [queueNames.events, 10],
    [queueNames.calls, 10],
    [queueNames.parkedLanes, 10],
  ] as const) {
    lambda.addSource({ queue: aws.queues.get(name), batchSize, maximumConcurrency });
  }

  let receiving:
    | { readonly process: Process; readonly receive: ReturnType<typeof startReceiver> }
    | undefined;
  let receivers = 0;
  const receiverFor = () => {
    if (receiving === undefined || !receiving.process.isAlive() || receiving.process.isFrozen()) {
      receivers += 1;
      const fresh = newProcess(`receiver-${receivers}`);
      receiving = { process: fresh, receive: startReceiver(fresh, aws, clock, appIds) };
    }
    return receiving.receive;
  };
  let operators = 0;
  const sender = createSender({ clock, random, receiverFor });

  const isIdle = () =>
    sender.pending() === 0 &&
    lambda.running() === 0 &&
    [queueNames.events, queueNames.calls, queueNames.parkedLanes].every((name) => {
      const { visible, inFlight, delayed } = aws.queues.get(name).queue.depth();
      return visible + inFlight + delayed === 0;
    });

  const operate: World["operate"] = async (command) => {
    operators += 1;
    const process = newProcess(`operator-${operators}`);
    const services = operatorServices(process, aws, clock);
    let isOver = false;
    const death = new Promise<undefined>((resolve) => process.onDeath(() => resolve(undefined)));
    const ended = Promise.race([command(services), death]).finally(() => {
      isOver = true;
    });
    // It may fail while time passes below, before it is awaited.
    ended.catch(() => undefined);
    await clock.run({ untilMs: clock.now() + 86_400_000, isOver: () => isOver });
    return ended;
  };

  return {
    seed,
    clock,
    random,
    aws,
    platform,
    lambda,
    diary,
    enqueued,
    logged,
    operate,
    delivered: sender.delivered,
    send: (fact) =>
      sender.plan({
        trigger: "message_sent",
        appId: appIds[0] ?? "",
        text: "hello",
        copies: 1,
        copiesWithinMs: 20_000,
        webhooks: ["functions"],
        ...fact,
        atMs: epochMs + fact.atMs,
      }),
    replay: (options = {}) => operate((services) => deadLetters.replay(options, services)),
    run: (untilMs) => clock.run({ untilMs: epochMs + untilMs, isOver: isIdle }),
    close: () => {
      restoreTimeouts();
      restoreSettings();
    },
  };
}

function standstillEndAt(
  atMs: number,
  laterMs: number,
  standstill: WorldOptions["standstill"],
): number | undefined {
  if (standstill === undefined || atMs < standstill.fromMs || atMs >= standstill.toMs + laterMs)
    return undefined;
  return epochMs + standstill.toMs + laterMs;
}

/** The services of an operator's command, on the edges of this world. */
function operatorServices(process: Process, aws: Aws, clock: Clock): OperatorServices {
  let tokens = 0;
  const sleep = (ms: number) => process.edge("sleep", () => clock.sleep(ms));
  return {
    callAws: createAwsCaller(readAwsEnvironment(), {
      now: clock.now,
      createPost: aws.createPostOf(process),
      sleep,
      random: () => 0.5,
    }),
    queueUrls: {
      events: queueUrlOf(aws, queueNames.events),
      calls: queueUrlOf(aws, queueNames.calls),
      parkedLanes: queueUrlOf(aws, queueNames.parkedLanes),
      deadLetters: queueUrlOf(aws, queueNames.deadLetters),
      quarantine: queueUrlOf(aws, queueNames.quarantine),
    },
    now: clock.now,
    sleep,
    token: () => {
      tokens += 1;
      return `${process.name}-${tokens}`;
    },
  };
}

/** The id of the chat message in a queue's message. */
export function factIdIn(messageBody: string): string | undefined {
  const { body } = Object.fromEntries(Object.entries(Object(JSON.parse(messageBody))));
  const { data } = typeof body === "string" ? JSON.parse(body) : {};
  return data?.message?.id;
}

const loopGuardSecretId = "the-loop-guard";

function secretOf(
  secretId: string,
  appIds: readonly string[],
  mistake?: Readonly<Record<string, string>>,
): string | undefined {
  if (secretId === loopGuardSecretId) return "a-key-of-the-loop-guard-of-this-world";
  const [, appId = "", kind] = secretId.split("/");
  if (!appIds.includes(appId)) return undefined;
  const { username: webhookUsername, password: webhookPassword } = webhookLogin;
  const fields =
    kind === "webhook"
      ? { appId, webhookUsername, webhookPassword }
      : { appId, region: "us", apiKey: "a-key-of-the-app" };
  return JSON.stringify({ ...fields, ...mistake });
}

/** The settings that serverless.yml gives the functions. */
function settingsFor(aws: Aws, { enabledTriggers = "reply" }: WorldOptions) {
  return {
    ...addressesIn(aws),
    AWS_ACCESS_KEY_ID: "chaos",
    AWS_SECRET_ACCESS_KEY: "chaos",
    SECRET_PREFIX: "chaos",
    LOOP_GUARD_SECRET_ID: loopGuardSecretId,
    FLOWS_FUNCTION_NAME: "flows",
    ENABLED_TRIGGERS: enabledTriggers,
    PATIENCE_HOURS: "24",
  };
}

/** Sets environment variables; returns a function that restores the old ones. */
function useSettings(settings: Readonly<Record<string, string>>): () => void {
  const before = Object.keys(settings).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, settings);
  return () => {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  };
}
