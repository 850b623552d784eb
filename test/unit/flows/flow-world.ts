import type { Context } from "aws-lambda";
import * as z from "zod/mini";
import { AwsCallError } from "../../../lib/aws/aws-call.ts";
import type { Table } from "../../../lib/aws/table.ts";
import { parseJson } from "../../../lib/base/json.ts";
import type { Log } from "../../../lib/base/log.ts";
import type { Effect } from "../../../lib/effects/effect.ts";
import { createLedger } from "../../../lib/effects/ledger.ts";
import { createPerform } from "../../../lib/effects/perform.ts";
import { joinFields } from "../../../lib/events/identity.ts";
import { defineFlow, type FlowDefinition } from "../../../lib/flows/define-flow.ts";
import { type CallDurable, createDurableApi } from "../../../lib/flows/durable-api.ts";
import { createDurableClient } from "../../../lib/flows/durable-client.ts";
import type { Flow } from "../../../lib/flows/flow.ts";
import { createFlowCancels } from "../../../lib/flows/flow-cancels.ts";
import { createFlowMarks } from "../../../lib/flows/flow-marks.ts";
import { createFlowQuestions } from "../../../lib/flows/flow-questions.ts";
import { createFlowRestarts } from "../../../lib/flows/flow-restarts.ts";
import { createFlowStarter, flowIdOf } from "../../../lib/flows/flow-starter.ts";
import { createFlowWaits } from "../../../lib/flows/flow-waits.ts";
import { createFlowOperator } from "../../../lib/flows/operate-flows.ts";
import { createFlowHandler } from "../../../lib/flows/run-flows.ts";
import { createFlowWaker } from "../../../lib/flows/wake-flows.ts";
import { AwsError } from "../../../local/cloud/aws-error.ts";
import { answerDurableCall } from "../../../local/cloud/durable/durable-routes.ts";
import { DurableStore } from "../../../local/cloud/durable/durable-store.ts";
import type { DurableInvocationInput } from "../../../local/cloud/durable/durable-types.ts";
import { eventOf } from "../../helpers/events/event-of.ts";
import { createTestAnswers, createTestGuard } from "../../helpers/loop-guard.ts";
import { createMemoryTable } from "../../helpers/memory-table.ts";
import { noOutside } from "../../helpers/no-outside.ts";

export const startMs = Date.UTC(2026, 0, 1);
const appId = "app-1";
/** Without failures, with time left. */
export const eventFacts = {
  appId,
  mayStartLate: async () => false,
  deadlineMs: Number.POSITIVE_INFINITY,
};
const never = () => new Promise<never>(() => {});

export interface FlowWorldOptions {
  /** Ends the process at this outside call, counted from 1 over the whole run. */
  readonly killAt?: number;
  /** Ends it at each point of this name. */
  readonly killIn?: string;
  /** A step's maximum wait in an outage. Default: a day. */
  readonly maxWaitMs?: number;
  /** Receives each point before the process continues. */
  readonly atPoint?: (name: string) => void | Promise<void>;
  /** Of a step's 30 s. Default: never ends. */
  readonly sleep?: () => Promise<void>;
  readonly remainingMs?: number;
  /** Whether a `message_sent` trigger is on. Default: true. */
  readonly hasMessageTrigger?: boolean;
  /** How the operator waits for a stopped flow's running step. Default: not at all. */
  readonly waitForStep?: () => Promise<void>;
  /** Called at each wake-up before Lambda; its error becomes Lambda's answer. */
  readonly atWake?: () => void;
}

interface StartOptions {
  readonly since?: number;
  readonly causedBy?: string;
  readonly causedByMessage?: string;
}

/** Flows in memory: tables, durable executions, and a manual clock. */
export function createFlowWorld(flows: readonly FlowDefinition[], options: FlowWorldOptions = {}) {
  let nowMs = startMs;
  let points = 0;
  let tokens = 0;
  const now = () => nowMs;
  const token = () => `token ${++tokens}`;
  const effectsTable = createMemoryTable("id");
  const flowsTable = createMemoryTable("waits", "flow");
  const lines: { level: string; message: string; fields: object }[] = [];
  const counted: string[] = [];
  const note = (level: string) => (message: string, fields: object) =>
    void lines.push({ level, message, fields });
  const log: Log = { debug: note("debug"), info: note("info"), warn: note("warn"), error: note("error") };
  const acts: string[] = [];
  const isOwn = async () => false;
  const idOf = (name: string) => String(9000 + acts.indexOf(name));

  /** A process: its outside calls fail after it is dead. */
  const createProcess = () => {
    let die: (error: Error) => void = () => {};
    const death = new Promise<never>((_resolve, reject) => {
      die = reject;
    });
    death.catch(() => {});
    let isDead = false;
    let { remainingMs = 60_000 } = options;
    const point = async (name: string): Promise<void> => {
      if (isDead) return never();
      points += 1;
      await options.atPoint?.(name);
      if (points !== options.killAt && name !== options.killIn) return;
      isDead = true;
      die(new Error(`The process died at point ${points}, ${name}.`));
      return never();
    };
    const around = async <T>(name: string, work: () => T | Promise<T>): Promise<T> => {
      await point(`before ${name}`);
      const result = await work();
      await point(`after ${name}`);
      return result;
    };
    const sleep = async (ms: number) => {
      remainingMs -= ms;
    };
    return { around, death, sleep, remainingMs: () => remainingMs };
  };
  type Process = ReturnType<typeof createProcess>;

  const callDurable = ({ around }: Pick<Process, "around">): CallDurable =>
    createDurableApi((call) => {
      const { target, input, rest: { method = "POST", path = "", query = "" } = {} } = call;
      const name = target.replace("Lambda.", "");
      return around(name, () => {
        try {
          if (name === "ListVersionsByFunction")
            return store.versions(decodeURIComponent(path.split("/")[3] ?? ""));
          if (name === "SendDurableExecutionCallbackSuccess") options.atWake?.();
          const body = method === "GET" ? "" : JSON.stringify(input);
          return parseJson(answerDurableCall(store, { method, url: `${path}?${query}`, body }));
        } catch (error) {
          if (!(error instanceof AwsError)) throw error;
          const { code, status, message } = error;
          throw new AwsCallError(call, { code, status, maybeExecuted: false, answer: { message } });
        }
      });
    });
  const watchTable = (table: Table, { around }: Pick<Process, "around">) =>
    Object.fromEntries(
      Object.entries(table).map(([name, method]) => [
        name,
        (...args: unknown[]) => around(name, () => Reflect.apply(method, table, args)),
      ]),
    ) as unknown as Table;

  const handlerOf = (process: Process) => {
    const flowTable = watchTable(flowsTable, process);
    const ledger = createLedger({ table: watchTable(effectsTable, process), now });
    const marks = createFlowMarks(flowTable, now);
    const cancels = createFlowCancels(flowTable, now);
    const durable = callDurable(process);
    // An effect of the test counts as done when it is reached.
    const call = (_operation: unknown, what: string | SentText) => {
      const name = typeof what === "string" ? what : describeText(what);
      return process.around(`act ${name}`, () => {
        acts.push(name);
        return { id: typeof what === "string" ? name : idOf(name) };
      });
    };
    return createFlowHandler(flows, {
      clientFor: (remainingMs) =>
        createDurableClient(durable, token, { remainingMs, sleep: process.sleep, random: () => 0 }),
      marks,
      questions: createFlowQuestions(flowTable, now),
      cancels,
      log,
      count: (name) => void counted.push(name),
      runOf: ({ flow, id, region, log: flowLog, names, remainingMs, restart }) => ({
        id,
        app: { appId, region },
        log: flowLog,
        steps: {
          now,
          random: () => 0,
          sleep: options.sleep ?? never,
          lane: `flow ${id}`,
          maxWaitMs: options.maxWaitMs ?? 86_400_000,
          remainingMs,
          log,
          names,
          pauses: { current: async () => undefined, enter: async () => true },
          noteWait: () => {},
        },
        performFor: ({ begunAt, limits }) =>
          createPerform({
            ledger,
            tools: {
              ...noOutside,
              appId,
              call: call as never,
              guard: createTestGuard(appId),
              answers: createTestAnswers({ table: effectsTable, now }),
              flows: starter,
              limits,
              now,
            },
            key: joinFields([appId, `flow ${flow}`, restart?.of ?? id]),
            receivedAt: begunAt,
            token,
          }),
        statesFor: () => {
          throw new Error("No state is played here.");
        },
        marks,
        waits: createFlowWaits(flowTable, now),
        questions: createFlowQuestions(flowTable, now),
        cancels,
        callDurable: durable,
        isOwn,
      }),
    });
  };

  const store = new DurableStore({
    now,
    invoke: async (_name, input: DurableInvocationInput) => {
      const process = createProcess();
      const context = { ...lambdaContext, getRemainingTimeInMillis: process.remainingMs } as Context;
      const invoked = handlerOf(process)(JSON.parse(JSON.stringify(input)), context);
      try {
        return { kind: "answered", body: JSON.stringify(await Promise.race([invoked, process.death])) };
      } catch (error) {
        return { kind: "failed", body: String(error) };
      }
    },
  });

  const asked: string[] = [];
  const outside = {
    around: async <T>(name: string, work: () => T | Promise<T>) => {
      asked.push(name);
      return work();
    },
  };
  const marks = createFlowMarks(flowsTable, now);
  const waits = createFlowWaits(flowsTable, now);
  const listed = new Set<string>(flows.flatMap(({ waitsFor }) => waitsFor));
  const waker = createFlowWaker(listed, {
    marks,
    waits,
    callDurable: callDurable(outside),
    isOwn,
    hasMessageTrigger: options.hasMessageTrigger ?? true,
    log,
    now,
  });
  const starter = createFlowStarter({
    marks,
    functionName: durableFunction.name,
    callAws: async ({ input, rest }) => {
      const name = rest?.headers?.["x-amz-durable-execution-name"];
      store.start(durableFunction, { name, payload: JSON.stringify(input) });
      return undefined;
    },
  });
  let ids = 0;
  /** Moves the clock to the next due time, repeatedly, until nothing is due by `untilMs`. */
  const playUntil = async (untilMs: number) => {
    for (;;) {
      await store.runDue();
      const atMs = store.nextWakeAt();
      if (atMs === undefined || atMs > untilMs) break;
      nowMs = Math.max(nowMs, atMs);
    }
    nowMs = Math.max(nowMs, untilMs);
  };

  return {
    operator: createFlowOperator({
      callDurable: callDurable(outside),
      marks,
      waits,
      questions: createFlowQuestions(flowsTable, now),
      cancels: createFlowCancels(flowsTable, now),
      functionName: durableFunction.name,
      waitForStep: options.waitForStep,
      restarts: createFlowRestarts(flowsTable, now),
      starter,
      now,
    }),
    /** Lambda calls by the operator and by waking flows. */
    asked,
    store,
    acts,
    lines,
    counted,
    flowsTable,
    durableFunction,
    waker,
    now,
    points: () => points,
    /** The id of a sent message. */
    idOf,
    moveTo: (atMs: number) => {
      nowMs = atMs;
    },
    start: async (
      flow: string,
      input: unknown,
      { since = nowMs, causedBy = "the cause", causedByMessage }: StartOptions = {},
    ) => {
      const waitsFor = flows.find(({ name }) => name === flow)?.waitsFor ?? [];
      const effect = `effect ${++ids}`;
      await starter.start(
        { flow, appId, input, waitsFor: [...waitsFor], since, causedBy, causedByMessage },
        effect,
      );
      return arnOf(flowIdOf(flow, durableFunction.name, effect));
    },
    /** An event from the consumer, received now. */
    deliver: async (body: object, { key = `fact ${++ids}`, receivedAt = nowMs } = {}) => {
      const event = eventOf(body);
      if (waker.isListed(event.trigger))
        await waker.wake(event, { ...eventFacts, occurrenceKey: async () => key, receivedAt });
    },
    playUntil,
    /** Runs until this many minutes after the start. */
    play: (minutes: number) => playUntil(startMs + minutes * 60_000),
    statusOf: (arn: string) => store.get(arn),
    resultOf: (arn: string) => JSON.parse(store.get(arn).Result ?? "null"),
  };

  function arnOf(id: string) {
    const { DurableExecutions = [] } = store.list(durableFunction.name, {
      DurableExecutionName: id,
      Qualifier: durableFunction.version,
    });
    return DurableExecutions[0]?.DurableExecutionArn ?? "";
  }
}

/** Starts a flow of this environment, and runs its first minutes. */
export async function beginFlow(flow: FlowDefinition, input: unknown = {}, minutes = 1) {
  const world = createFlowWorld([flow]);
  const arn = await world.start(flow.name, input);
  await world.play(minutes);
  return { world, arn };
}

/** The id of an execution's flow. */
export function idIn(arn: string): string {
  return arn.split("/").at(-2) ?? "";
}

/** A flow without input that waits for messages. */
export function messageFlow<Result>(
  name: string,
  run: (flow: Flow<"message_sent">) => Promise<Result>,
): FlowDefinition {
  return defineFlow(name, { input: z.object({}), waitsFor: ["message_sent"] }, run);
}

/** Waits for a message for up to ten minutes. */
export function hear(flow: Flow<"message_sent">) {
  return flow.waitFor("message_sent", { within: { minutes: 10 } });
}

/** An effect of a test: done when it is reached, and visible then. */
export function act(world: () => { readonly acts: readonly string[] }, name: string): Effect<{ id: string }> {
  return {
    kind: "test",
    stepsWith: ({ call }) => ({
      act: () =>
        (call as unknown as (operation: unknown, name: string) => Promise<{ id: string }>)(null, name),
      look: async () => (world().acts.includes(name) ? { id: name } : undefined),
    }),
  };
}

const durableFunction = {
  name: "service-flows",
  arn: "arn:aws:lambda:us-east-1:000000000000:function:service-flows",
  version: "1",
  executionTimeoutMs: 366 * 86_400_000,
  retentionMs: 14 * 86_400_000,
};

const lambdaContext = {
  functionName: durableFunction.name,
  functionVersion: "1",
  invokedFunctionArn: durableFunction.arn,
  awsRequestId: "00000000-0000-4000-8000-000000000000",
};

interface SentText {
  readonly receiver: string;
  readonly data: { readonly text: string };
}

function describeText({ receiver, data }: SentText) {
  return `helper to ${receiver}: ${data.text}`;
}
