import { randomUUID } from "node:crypto";
import { pollingClock, type SchedulingClock } from "../durable/drive-durable-store.ts";
import type { FunctionDefinition } from "./function-definition.ts";
import { FunctionPool } from "./function-pool.ts";
import type { LambdaOptions } from "./lambda-options.ts";
import { type OrphanGuard, startOrphanGuard } from "./orphan-guard.ts";
import type { Outcome } from "./outcome.ts";
import type { Receive } from "./runtime-api.ts";

export interface WaitingTry {
  readonly id: string;
  readonly functionKey: string;
  readonly payload: string;
  readonly dueMs: number;
  readonly failedTries: number;
  fire(): void;
}

interface AsyncInvocation {
  readonly requestId: string;
  readonly failedTries: number;
}

/** @see https://docs.aws.amazon.com/lambda/latest/dg/invocation-async-error-handling.html */
const defaultRetryDelaysMs = [60_000, 120_000];
/** Lambda repeats throttled events for six hours; here, forever. */
const throttledRetryMs = 60_000;

export class LambdaService {
  readonly #options: LambdaOptions;
  readonly #guard: OrphanGuard;
  readonly #pools: ReadonlyMap<string, FunctionPool>;
  readonly #earlier = new Map<string, FunctionPool>();
  readonly #clock: SchedulingClock;
  readonly #waiting = new Map<WaitingTry, { cancel(): void }>();
  /** Reserved concurrency by function key. */
  readonly reserved = new Map<string, number>();
  /** Incremented by each halt: earlier tries are dropped. */
  #era = 0;

  constructor(options: LambdaOptions) {
    this.#options = { ...options, reserved: this.reserved };
    this.#guard = startOrphanGuard(options.buildFolder);
    this.#pools = new Map(
      options.functions.map((definition) => [
        definition.key,
        new FunctionPool(definition, this.#guard, this.#options),
      ]),
    );
    this.#clock = options.clock ?? pollingClock(Date.now);
  }

  get functions(): readonly FunctionDefinition[] {
    return [...this.#pools.values()].map(({ definition }) => definition);
  }

  pool(functionKey: string): FunctionPool {
    const pool = this.#pools.get(functionKey);
    if (pool) return pool;
    const known = [...this.#pools.keys()].join(", ");
    throw new Error(`serverless.yml declares no function ${functionKey}. It has ${known}.`);
  }

  /** @param receive for a streamed response, whose outcome has no body @throws Error for an unknown key */
  async invoke(functionKey: string, payload: string, receive?: Receive): Promise<Outcome> {
    return await this.pool(functionKey).invoke(payload, { receive });
  }

  /** Invokes code, perhaps an earlier version. */
  async invokeCode(definition: FunctionDefinition, payload: string): Promise<Outcome> {
    const current = this.pool(definition.key);
    if (definition.taskRoot === current.definition.taskRoot) return await current.invoke(payload);
    const { taskRoot } = definition;
    const pool = this.#earlier.get(taskRoot) ?? new FunctionPool(definition, this.#guard, this.#options);
    this.#earlier.set(taskRoot, pool);
    return await pool.invoke(payload);
  }

  /** With retries. @throws Error if this key does not exist */
  invokeAsync(functionKey: string, payload: string): void {
    this.#try(this.pool(functionKey), payload, { requestId: randomUUID(), failedTries: 0 }).catch(() => {});
  }

  isBusy(): boolean {
    return this.#allPools().some((pool) => pool.isBusy);
  }

  waitingTries(): readonly WaitingTry[] {
    return [...this.#waiting.keys()];
  }

  /** Drops waiting tries and fails every invocation until `resume`. */
  async halt(): Promise<void> {
    this.#dropTries();
    await Promise.all(this.#allPools().map((pool) => pool.halt()));
  }

  resume(): void {
    for (const pool of this.#allPools()) pool.resume();
  }

  async close(): Promise<void> {
    this.#dropTries();
    await Promise.all(this.#allPools().map((pool) => pool.close()));
    await this.#guard.close();
  }

  #allPools(): readonly FunctionPool[] {
    return [...this.#pools.values(), ...this.#earlier.values()];
  }

  /** AWS's retries have the request id of the first try. */
  async #try(pool: FunctionPool, payload: string, { requestId, failedTries }: AsyncInvocation) {
    const era = this.#era;
    const { maximumRetryAttempts } = pool.definition;
    const delaysMs = (this.#options.asyncRetryDelaysMs ?? defaultRetryDelaysMs).slice(
      0,
      maximumRetryAttempts,
    );
    const outcome = await pool.invoke(payload, { requestId });
    const isThrottled = outcome.kind === "throttled";
    const retryMs = isThrottled ? throttledRetryMs : delaysMs[failedTries];
    if (outcome.kind === "answered" || retryMs === undefined || era !== this.#era) return;
    const dueMs = this.#clock.now() + retryMs;
    const waiting: WaitingTry = {
      id: randomUUID(),
      functionKey: pool.definition.key,
      payload,
      dueMs,
      failedTries: failedTries + (isThrottled ? 0 : 1),
      fire: () => {
        this.#waiting.get(waiting)?.cancel();
        if (!this.#waiting.delete(waiting)) return;
        this.#try(pool, payload, { requestId, failedTries: waiting.failedTries }).catch(() => {});
      },
    };
    this.#waiting.set(waiting, this.#clock.schedule(dueMs, waiting.fire));
  }

  #dropTries() {
    this.#era += 1;
    for (const timer of this.#waiting.values()) timer.cancel();
    this.#waiting.clear();
  }
}
