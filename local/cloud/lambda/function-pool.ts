import { writeDebugBundle } from "./debug-bundle.ts";
import {
  type EnvironmentOptions,
  type ExecutionEnvironment,
  startExecutionEnvironment,
} from "./execution-environment.ts";
import type { FunctionDefinition, KillPoint } from "./function-definition.ts";
import { type Outcome, writeRuntimeError } from "./outcome.ts";

export interface PoolOptions extends EnvironmentOptions {
  /** How many processes the function may have; further invocations wait in line. */
  readonly concurrency: number;
  /** In the place of `concurrency` while it gives a number. */
  readonly concurrencyNow?: (() => number | undefined) | undefined;
  /** Where an invocation that begins is to be killed, and whom to tell once it was. Default: nowhere. */
  readonly killPointNow?: (() => { point: KillPoint; struck: () => void } | undefined) | undefined;
}

/** A function's processes: started when needed, used again when idle, ended after some minutes. */
export interface FunctionPool {
  /** Runs the function once; a failure is an outcome, too. */
  invoke(payload: string): Promise<Outcome>;
  /** The function as it is run from now on. */
  readonly definition: FunctionDefinition;
  /** True while a process of the function is there. */
  isWarm(): boolean;
  /** Starts a process for the next invocation, unless there is one. */
  warm(): Promise<void>;
  /**
   * Runs the function by another definition, once a process of it is loaded: nothing changes if that cannot be, and what
   * came in its way is given. What runs ends as it began. Of several at once the last one holds.
   */
  renew(definition: FunctionDefinition): Promise<Outcome | "loaded">;
  /** Kills the process of the invocation that starts next, at a request of its. */
  killNext(point: KillPoint): void;
  /**
   * Kills the process of an invocation whose payload is meant, at a request of its; an invocation that never comes to
   * that request changes nothing. Orders are taken one at a time, in their order. Resolves when it has struck.
   */
  killWhen(isMeant: (payload: string) => boolean, point: KillPoint): Promise<void>;
  /** Kills every process as it is; what they were doing has the outcome `exited`. */
  kill(): void;
  /**
   * Kills every process, and has every invocation fail, also one that waits in line or comes before `resume`. Resolves when
   * none is left.
   */
  halt(): Promise<void>;
  resume(): void;
  /** True while an invocation runs or waits. */
  isBusy(): boolean;
  /** Ends the processes once what runs and waits is done; another invocation is not taken. */
  retire(): Promise<void>;
  close(): Promise<void>;
}

interface KillOrder {
  readonly point: KillPoint;
  isMeant(payload: string): boolean;
  tell(): void;
}

/** UNVERIFIED: Lambda keeps idle environments for a time that it does not tell. */
const idleMs = 10 * 60_000;
/** @see https://nodejs.org/docs/latest-v24.x/api/timers.html#settimeoutcallback-delay-args */
const longestTimerMs = 2_147_483_647;

function halted(): Outcome {
  const text = "The local world is being exchanged: its functions do not run.";
  return { kind: "exited", body: writeRuntimeError("", "Runtime.ExitError", text) };
}

export function createFunctionPool({
  concurrency,
  concurrencyNow = () => undefined,
  killPointNow = () => undefined,
  ...options
}: PoolOptions): FunctionPool {
  const all = new Set<ExecutionEnvironment>();
  const idle: { environment: ExecutionEnvironment; end: NodeJS.Timeout }[] = [];
  const waiting: (() => void)[] = [];
  const done: (() => void)[] = [];
  let busy = 0;
  let orders: readonly KillOrder[] = [];
  let killPoint: KillPoint | undefined;
  let isClosed = false;
  let isHalted = false;
  let definition = options.definition;
  let renewals = 0;
  const definitions = new WeakMap<ExecutionEnvironment, FunctionDefinition>();

  const take = () => {
    for (let free = idle.pop(); free; free = idle.pop()) {
      clearTimeout(free.end);
      if (free.environment.isAlive) return free.environment;
      drop(free.environment);
    }
    return undefined;
  };
  const drop = (environment: ExecutionEnvironment) => {
    all.delete(environment);
    void environment.close();
  };
  const { inspector } = options;
  const start = async (of: FunctionDefinition) => {
    if (isClosed) throw new Error(`${of.key} was closed.`);
    const environment = await startExecutionEnvironment({
      ...options,
      definition: inspector === undefined ? of : writeDebugBundle(of),
    });
    definitions.set(environment, of);
    all.add(environment);
    if (isClosed) drop(environment);
    return environment;
  };
  const leadDebuggersTo = (environment: ExecutionEnvironment) => {
    if (inspector === undefined) return;
    void environment.inspectorPort.then((port) => inspector.leadTo(port));
  };
  const startCurrent = async () => {
    const environment = await start(definition);
    leadDebuggersTo(environment);
    return environment;
  };
  const giveBack = (environment: ExecutionEnvironment) => {
    if (!environment.isAlive || definitions.get(environment) !== definition) return drop(environment);
    const end = setTimeout(
      () => drop(environment),
      inspector === undefined ? idleMs : longestTimerMs,
    ).unref();
    idle.push({ environment, end });
  };

  const run = async (payload: string, point: KillPoint | undefined): Promise<Outcome> => {
    for (;;) {
      if (isHalted) return halted();
      const environment = take() ?? (await startCurrent());
      if (isHalted) drop(environment);
      const outcome = await environment.invoke(payload, point);
      const hasEnded = outcome === "gone" || outcome.kind === "timedOut" || outcome.kind === "exited";
      if (hasEnded) drop(environment);
      else giveBack(environment);
      if (outcome !== "gone") return outcome;
    }
  };

  const close = async () => {
    isClosed = true;
    for (const { end } of idle) clearTimeout(end);
    await Promise.all([...all].map((environment) => environment.close()));
  };

  return {
    get definition() {
      return definition;
    },
    isWarm: () => all.size > 0,
    async warm() {
      if (all.size === 0 && !isHalted && !isClosed) giveBack(await startCurrent());
    },
    async renew(wanted) {
      renewals += 1;
      if (isHalted) {
        definition = wanted;
        return "loaded";
      }
      const renewal = renewals;
      const earlier = [...all];
      const environment = await start(wanted);
      const loaded = await environment.loaded;
      const isLast = renewal === renewals;
      if (loaded !== "loaded" || !isLast) {
        drop(environment);
        return loaded;
      }
      definition = wanted;
      leadDebuggersTo(environment);
      for (const one of idle.splice(0)) {
        clearTimeout(one.end);
        drop(one.environment);
      }
      if (earlier.length > 0) giveBack(environment);
      else drop(environment);
      return loaded;
    },
    async invoke(payload) {
      if (isHalted) return halted();
      if (busy >= (concurrencyNow() ?? concurrency))
        await new Promise<void>((resolve) => waiting.push(resolve));
      else busy += 1;
      try {
        const order = orders.find(({ isMeant }) => isMeant(payload));
        orders = orders.filter((other) => other !== order);
        const rule = killPointNow();
        const point = killPoint ?? order?.point ?? rule?.point;
        killPoint = undefined;
        const outcome = await run(payload, point);
        if (outcome.kind === "exited" && point === rule?.point) rule?.struck();
        if (outcome.kind === "exited") order?.tell();
        else if (order) orders = [order, ...orders];
        return outcome;
      } finally {
        const next = waiting.shift();
        if (next) next();
        else busy -= 1;
        if (busy === 0) for (const tell of done.splice(0)) tell();
      }
    },
    killNext(point) {
      killPoint = point;
    },
    killWhen: (isMeant, point) =>
      new Promise((resolve) => {
        orders = [...orders, { isMeant, point, tell: resolve }];
      }),
    kill() {
      for (const environment of all) environment.kill();
    },
    async halt() {
      isHalted = true;
      const quiet = busy === 0 ? undefined : new Promise<void>((resolve) => done.push(resolve));
      await Promise.all([...all].map((environment) => environment.close()));
      for (const { end } of idle.splice(0)) clearTimeout(end);
      all.clear();
      await quiet;
    },
    resume() {
      isHalted = false;
    },
    isBusy: () => busy > 0,
    async retire() {
      while (busy > 0) await new Promise<void>((resolve) => done.push(resolve));
      await close();
    },
    close,
  };
}
