import { writeDebugBundle } from "./debug-bundle.ts";
import { ExecutionEnvironment } from "./execution-environment.ts";
import type { FunctionDefinition, KillPoint } from "./function-definition.ts";
import type { InvokeOptions, LambdaOptions } from "./lambda-options.ts";
import type { OrphanGuard } from "./orphan-guard.ts";
import { type Outcome, throttled, writeRuntimeError } from "./outcome.ts";

interface KillOrder {
  readonly point: KillPoint;
  isMeant(payload: string): boolean;
  struck(): void;
}

interface Process {
  readonly environment: ExecutionEnvironment;
  readonly definition: FunctionDefinition;
  idleTimer?: NodeJS.Timeout;
}

/** UNVERIFIED: undocumented. */
const idleMs = 10 * 60_000;

const loadError = /^\S+\tundefined\tERROR\t(Init Error|Uncaught Exception)\t/;

export class FunctionPool {
  readonly #guard: OrphanGuard;
  readonly #options: LambdaOptions;
  readonly #isInspected: boolean;
  readonly #all = new Set<Process>();
  readonly #idle: Process[] = [];
  readonly #waiting: (() => void)[] = [];
  readonly #quiet: (() => void)[] = [];
  #busy = 0;
  #orders: readonly KillOrder[] = [];
  #isClosed = false;
  #isHalted = false;
  #definition: FunctionDefinition;
  #renewals = 0;

  constructor(definition: FunctionDefinition, guard: OrphanGuard, options: LambdaOptions) {
    this.#definition = definition;
    this.#guard = guard;
    this.#options = options;
    this.#isInspected = options.inspectors?.has(definition.key) ?? false;
  }

  get definition(): FunctionDefinition {
    return this.#definition;
  }

  get isWarm(): boolean {
    return this.#all.size > 0;
  }

  get isBusy(): boolean {
    return this.#busy > 0;
  }

  async invoke(payload: string, options?: InvokeOptions): Promise<Outcome> {
    if (this.#isHalted) return halted();
    const { key } = this.#definition;
    const { concurrency, faults, reserved, onThrottle } = this.#options;
    if (this.#busy >= (reserved?.get(key) ?? Number.POSITIVE_INFINITY)) {
      onThrottle?.(this.#definition);
      return throttled;
    }
    // A debugger attaches to a single process.
    const limit = faults?.concurrencyOf(key) ?? (this.#isInspected ? 1 : concurrency);
    if (this.#busy >= limit) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#busy += 1;
    try {
      const order = this.#orders.find(({ isMeant }) => isMeant(payload));
      this.#orders = this.#orders.filter((other) => other !== order);
      const rule = faults?.killPointFor(key);
      const point = order?.point ?? rule?.point;
      const outcome = await this.#run(payload, point, options);
      const hasExited = outcome.kind === "exited";
      if (hasExited && point === rule?.point) rule?.struck();
      if (hasExited) order?.struck();
      else if (order) this.#orders = [order, ...this.#orders];
      return outcome;
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#busy -= 1;
      if (this.#busy === 0) for (const resolve of this.#quiet.splice(0)) resolve();
    }
  }

  async warm(): Promise<void> {
    if (!this.isWarm && !this.#isHalted && !this.#isClosed) this.#giveBack(await this.#startCurrent());
  }

  /**
   * Switches to new code once a process has loaded it; else returns the failure, unlogged. Running
   * invocations keep the old code.
   */
  async renew(wanted: FunctionDefinition): Promise<Outcome | "loaded"> {
    this.#renewals += 1;
    if (this.#isHalted) {
      this.#definition = wanted;
      return "loaded";
    }
    const renewal = this.#renewals;
    const wasWarm = this.isWarm;
    let isLoading = true;
    const process = await this.#start(wanted, (line, from) => {
      if (!isLoading || !loadError.test(line)) this.#options.log(line, from);
    });
    const loaded = await process.environment.loaded;
    isLoading = false;
    if (loaded !== "loaded" || renewal !== this.#renewals) {
      this.#drop(process);
      return loaded;
    }
    this.#definition = wanted;
    void process.environment.leadDebuggersHere();
    for (const idle of this.#idle.splice(0)) this.#drop(idle);
    if (wasWarm) this.#giveBack(process);
    else this.#drop(process);
    return loaded;
  }

  /** Kills the next matching invocation's process at a request; then resolves. */
  killWhen(isMeant: (payload: string) => boolean, point: KillPoint): Promise<void> {
    return new Promise((resolve) => {
      this.#orders = [...this.#orders, { isMeant, point, struck: resolve }];
    });
  }

  kill(): void {
    for (const { environment } of this.#all) environment.kill();
  }

  /** Fails invocations until `resume`. Resolves when no process is left. */
  async halt(): Promise<void> {
    this.#isHalted = true;
    const quiet = this.isBusy ? new Promise<void>((resolve) => this.#quiet.push(resolve)) : undefined;
    await this.#closeAll();
    await quiet;
  }

  resume(): void {
    this.#isHalted = false;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#closeAll();
  }

  async #closeAll() {
    for (const { idleTimer } of this.#idle.splice(0)) clearTimeout(idleTimer);
    await Promise.all([...this.#all].map(({ environment }) => environment.close()));
    this.#all.clear();
  }

  async #run(payload: string, point?: KillPoint, options?: InvokeOptions): Promise<Outcome> {
    for (;;) {
      if (this.#isHalted) return halted();
      const process = this.#take() ?? (await this.#startCurrent());
      if (this.#isHalted) this.#drop(process);
      const outcome = await process.environment.invoke(payload, point, options);
      if (outcome === "gone") this.#drop(process);
      else {
        if (outcome.kind === "timedOut" || outcome.kind === "exited") this.#drop(process);
        else this.#giveBack(process);
        return outcome;
      }
    }
  }

  #take() {
    for (let idle = this.#idle.pop(); idle; idle = this.#idle.pop()) {
      clearTimeout(idle.idleTimer);
      if (idle.environment.isAlive) return idle;
      this.#drop(idle);
    }
    return undefined;
  }

  async #startCurrent(): Promise<Process> {
    const process = await this.#start(this.#definition);
    void process.environment.leadDebuggersHere();
    return process;
  }

  async #start(definition: FunctionDefinition, log = this.#options.log): Promise<Process> {
    if (this.#isClosed) throw new Error(`${definition.key} was closed.`);
    const run = this.#isInspected ? writeDebugBundle(definition) : definition;
    const process = {
      environment: await ExecutionEnvironment.start(run, this.#guard, { ...this.#options, log }),
      definition,
    };
    this.#all.add(process);
    if (this.#isClosed) this.#drop(process);
    return process;
  }

  #giveBack(process: Process) {
    const { environment, definition } = process;
    if (!environment.isAlive || definition !== this.#definition) {
      this.#drop(process);
      return;
    }
    if (!this.#isInspected) process.idleTimer = setTimeout(() => this.#drop(process), idleMs).unref();
    this.#idle.push(process);
  }

  #drop(process: Process) {
    clearTimeout(process.idleTimer);
    this.#all.delete(process);
    void process.environment.close();
  }
}

function halted(): Outcome {
  const text = "The local stack's contents are being replaced: its functions do not run.";
  return { kind: "exited", body: writeRuntimeError("", "Runtime.ExitError", text) };
}
