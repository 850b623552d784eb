import fc from "fast-check";
import type { Table, Written } from "../../../lib/aws/table.ts";
import type { CallOperation, Operation } from "../../../lib/chat/operation.ts";
import { EffectBusyError, EffectNotClearError } from "../../../lib/effects/effect-errors.ts";
import { awsFailure, chatRefusal, chatSilence } from "../../helpers/failed-calls.ts";
import { createMemoryTable } from "../../helpers/memory-table.ts";
import { createVirtualTime } from "../../helpers/virtual-time.ts";

// Every step may fail in the ways of a network, a table and a platform. Two bounds hold: a
// request is carried out at most 20 s after its sender gave up, and lists show a message at most 5 s late.

/** The outcome of one step. */
export interface Fate {
  readonly kind: (typeof kinds)[number];
  /** The time until the answer, or until the caller stops waiting. */
  readonly afterMs: number;
  /** The further delay of a lost request. */
  readonly lateMs: number;
}

const kinds = [
  "well",
  "refused",
  "never carried out, no answer",
  "carried out, no answer",
  "carried out late, no answer",
  "carried out twice",
  "carried out now and again late",
  "process dies before",
  "process dies after",
  "process frozen, then an answer",
  "process frozen, never carried out",
] as const;

/** Fates that prefer short times and success, so that attempts get further than their first steps. */
export const anyFate: fc.Arbitrary<Fate> = fc.record({
  kind: fc.oneof(
    { weight: 1, arbitrary: fc.constant("well" as const) },
    { weight: 2, arbitrary: fc.constantFrom(...kinds) },
  ),
  afterMs: fc.oneof(fc.integer({ min: 1, max: 900 }), fc.integer({ min: 1, max: 29_000 })),
  lateMs: fc.oneof(
    fc.integer({ min: 0, max: 500 }),
    fc.integer({ min: 0, max: 20_000 }),
    fc.constant(20_000),
  ),
});

/** Handles the event until it is done: a delivery, its retries in new processes, or a replay. */
export interface Handler {
  readonly startMs: number;
  /** How far its machine's clock is off. */
  readonly skewMs: number;
  /** The wait after a failure that names none. */
  readonly pauseMs: number;
}

/** One process: after its crash, its requests are never answered. */
export interface Process {
  readonly now: () => number;
  readonly dies: Promise<void>;
  die(): void;
  readonly isDead: () => boolean;
}

/** Makes the services for one run; after the last fate, all steps succeed. */
export function createHostileWorld(fates: readonly Fate[], lagMs: number) {
  const time = createVirtualTime(1_000_000_000_000);
  const memory = createMemoryTable("id");
  const sent: {
    readonly id: string;
    readonly tag: string;
    readonly message: object;
    readonly visibleAt: number;
  }[] = [];
  const ahead = [...fates];
  const nextFate = (): Fate => ahead.shift() ?? { kind: "well", afterMs: 5, lateMs: 0 };

  const createProcess = (skewMs: number): Process => {
    const death = Promise.withResolvers<void>();
    let isDead = false;
    return {
      now: () => time.now() + skewMs,
      dies: death.promise,
      isDead: () => isDead,
      die: () => {
        isDead = true;
        death.resolve();
      },
    };
  };

  /** Plays one step by its fate. `signal` ends the waiting, not what is under way. */
  const play = async <T>(process: Process, step: Step<T>, signal?: AbortSignal): Promise<T> => {
    if (process.isDead()) return never;
    const { kind, afterMs, lateMs } = nextFate();
    const answered = async (answer: () => T | Promise<T>): Promise<T> => {
      await Promise.race([time.sleep(afterMs), aborted(signal)]);
      if (process.isDead()) return never;
      if (signal?.aborted) throw signal.reason;
      return answer();
    };
    const fail = (maybeExecuted: boolean) => (): T => {
      throw step.failure(maybeExecuted);
    };
    const carryOutLate = async () => {
      await time.sleep(lateMs);
      await step.carryOut();
    };
    const carryOutAfterwards = async () => {
      await Promise.race([time.sleep(afterMs), aborted(signal)]);
      await carryOutLate();
    };
    switch (kind) {
      case "well":
        return answered(step.carryOut);
      case "refused":
        return answered(fail(false));
      case "never carried out, no answer":
        return answered(fail(true));
      case "carried out, no answer":
        void step.carryOut();
        return answered(fail(true));
      case "carried out late, no answer":
        void carryOutAfterwards();
        return answered(fail(true));
      case "carried out twice":
        if (step.isRepeated) void step.carryOut();
        return answered(step.carryOut);
      case "carried out now and again late": {
        const answer = step.carryOut();
        if (step.isRepeated) void carryOutAfterwards();
        return answered(() => answer);
      }
      case "process dies before":
        process.die();
        return never;
      case "process dies after":
        void carryOutLate();
        process.die();
        return never;
      case "process frozen, then an answer": {
        const answer = step.carryOut();
        await time.sleep(30_000 + 10 * afterMs);
        return process.isDead() ? never : answer;
      }
      case "process frozen, never carried out": {
        await time.sleep(30_000 + 10 * afterMs);
        return process.isDead() ? never : fail(true)();
      }
    }
  };

  const tableOf = (process: Process): Table => {
    const write = (carryOut: () => Promise<Written>) => {
      // The table in memory executes calls immediately.
      return play(process, { carryOut, failure: tableFailure, isRepeated: true });
    };
    return {
      ...memory,
      put: (...args) => write(() => memory.put(...args)),
      update: (...args) => write(() => memory.update(...args)),
      delete: (...args) => write(() => memory.delete(...args)),
    };
  };

  /** Sends one message at most once: the client does not repeat a possible success. */
  const send = (process: Process, tag: string, signal?: AbortSignal, message: object = {}) =>
    play(
      process,
      {
        carryOut: () => {
          const id = String(sent.length + 1);
          sent.push({ id, tag, message, visibleAt: time.now() + lagMs });
          return { id };
        },
        failure: sendFailure,
        isRepeated: false,
      },
      signal,
    );

  const look = (process: Process, tag: string, signal?: AbortSignal) => {
    const seen = sent.find((message) => message.tag === tag && message.visibleAt <= time.now());
    const step = {
      carryOut: () => seen && { ...seen.message, id: seen.id },
      failure: sendFailure,
      isRepeated: false,
    };
    return play(process, step, signal);
  };

  /** The client of the platform, as far as effects use it. */
  const callOf = (process: Process) => {
    const operations = {
      "send-message": (
        { tags, ...message }: { tags: string[] },
        { onBehalfOf: sender, signal }: { onBehalfOf: string; signal?: AbortSignal },
      ) => send(process, tags[1] ?? "", signal, { ...message, sender, tags }),
      "list-all-messages": ({ tags }: { tags: string[] }, { signal }: { signal?: AbortSignal }) => ({
        page: async () => {
          const found = await look(process, tags[0] ?? "", signal);
          return { items: found === undefined ? [] : [found] };
        },
      }),
    };
    return ((operation: Operation, ...args: [never, never]) =>
      operations[operation.id as keyof typeof operations](...args)) as unknown as CallOperation;
  };

  const eventLimitMs = 30_000;
  /** The outcome of a process's attempt: its result or error, its crash, or the end of its time. */
  const outcomeOf = <T>({ dies }: Process, work: Promise<T>) =>
    Promise.race([
      work.catch((error: Error) => error),
      dies.then(() => "died" as const),
      time.sleep(eventLimitMs).then(() => "time up" as const),
    ]);
  /** Repeats attempts until an outcome, as the lanes do; a crash is noticed after 75 s. */
  const handle = async <T>(
    { startMs, skewMs, pauseMs }: Handler,
    attempt: (count: number) => Promise<T | Error | "died" | "time up">,
  ): Promise<T | "gave up"> => {
    await time.sleep(startMs);
    for (let count = 1; count <= 200; count += 1) {
      const outcome = await attempt(count);
      if (outcome === "died") await time.sleep(75_000);
      else if (outcome instanceof EffectBusyError || outcome instanceof EffectNotClearError) {
        await time.sleep(Math.max(1, outcome.retryAtMs - time.now() - skewMs));
      } else if (outcome === "time up" || outcome instanceof Error) await time.sleep(pauseMs);
      else return outcome;
    }
    return "gave up";
  };

  return { time, sent, createProcess, tableOf, callOf, send, look, items: memory.items, outcomeOf, handle };
}

interface Step<T> {
  readonly carryOut: () => T | Promise<T>;
  readonly failure: (maybeExecuted: boolean) => Error;
  /** Its carrier retries without an answer. */
  readonly isRepeated: boolean;
}

const never = new Promise<never>(() => {});

function aborted(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) resolve();
    signal?.addEventListener("abort", () => resolve(), { once: true });
  });
}

function tableFailure(maybeExecuted: boolean): Error {
  return awsFailure("ETIMEDOUT", maybeExecuted);
}

function sendFailure(maybeExecuted: boolean): Error {
  return maybeExecuted ? chatSilence() : chatRefusal(429, "E", { retryable: true });
}
