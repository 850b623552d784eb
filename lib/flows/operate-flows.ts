import type { AwsCaller } from "../aws/aws-call.ts";
import type { Table } from "../aws/table.ts";
import { inParts, mapConcurrently } from "../base/batching.ts";
import { leastEffectDays } from "../effects/ledger.ts";
import { continueStep } from "./continue-as.ts";
import { type CallDurable, completeCallback, createDurableApi, isOver } from "./durable-api.ts";
import { createFlowCancels, type FlowCancels } from "./flow-cancels.ts";
import { createFlowMarks, type FlowMarks } from "./flow-marks.ts";
import { createFlowQuestions, type FlowQuestions } from "./flow-questions.ts";
import { createFlowRestarts } from "./flow-restarts.ts";
import { createFlowStarter } from "./flow-starter.ts";
import { createFlowWaits, type FlowWaits } from "./flow-waits.ts";
import { type FlowStatus, flowsAtOnce, hasFailed } from "./list-executions.ts";
import {
  type Execution,
  type Executions,
  flowOf,
  type ListedFlow,
  openExecutions,
  requestOf,
  type ShownStep,
  toListed,
} from "./read-executions.ts";
import { findRestarts, planRestart, type RestartServices, restart } from "./restart-flow.ts";
import type { OpenWait } from "./wait-memory.ts";

export interface ShownFlow extends ListedFlow {
  readonly appId: string | undefined;
  readonly waitsFor: readonly string[];
  readonly input: unknown;
  readonly result: string | undefined;
  readonly cause: string | undefined;
  readonly steps: readonly ShownStep[];
  /** Id of the next execution, after `continueAs`. */
  readonly continuedAs?: string | undefined;
}

export interface FlowSelection {
  readonly status?: FlowStatus;
  readonly flow?: string | undefined;
  /** Reads each flow. */
  readonly appId?: string | undefined;
  readonly limit?: number | undefined;
}

interface FlowOperatorServices extends RestartServices {
  readonly callDurable: CallDurable;
  readonly marks: FlowMarks;
  readonly waits: FlowWaits;
  readonly questions: FlowQuestions;
  readonly cancels: FlowCancels;
  readonly functionName: string;
  /** Default: does not wait. */
  readonly waitForStep?: ((id: string, ms: number) => Promise<void>) | undefined;
}

export type FlowOperator = ReturnType<typeof createFlowOperator>;

/** Methods throw AwsCallError. */
export function createFlowOperator(services: FlowOperatorServices) {
  const executions = openExecutions(services.callDurable, services.functionName);
  const restartOf = async (id: string) => (await findRestarts([id], executions, services.restarts)).get(id);
  return {
    /** Newest first. Default: 100. */
    list: async (options: FlowSelection = {}): Promise<readonly ListedFlow[]> => {
      const flows = await listFlows(executions, options);
      const failed = flows.filter(({ status }) => hasFailed(status));
      const ids = failed.map(({ id }) => id);
      const started = await findRestarts(ids, executions, services.restarts);
      return flows.map((flow) => ({ ...flow, restartedAs: started.get(flow.id) }));
    },

    find: async (id: string) => {
      const found = await executions.open(id);
      if (found === undefined) return undefined;
      const { appId, waitsFor = [] } = requestOf(found) ?? {};
      return { ...toListed(found), appId, waitsFor, restartedAs: await restartOf(id) };
    },

    show: async (id: string): Promise<ShownFlow | undefined> => {
      const found = await executions.open(id);
      if (found === undefined) return undefined;
      const { Result, Error: error } = found;
      const request = requestOf(found);
      const steps = await executions.stepsOf(found.DurableExecutionArn);
      const restartedAs = await restartOf(id);
      return {
        ...toListed(found),
        appId: request?.appId,
        waitsFor: request?.waitsFor ?? [],
        input: request?.input,
        result: Result,
        cause: error?.ErrorMessage,
        steps,
        continuedAs: nextIdIn(steps),
        restartedAs,
      };
    },

    /**
     * Asks a flow that uses `flow.cancelled` to clean up. Stops others, and any at the second request: a
     * running step may still be carried out, and is awaited. Repeatable. Follows `continueAs`.
     */
    cancel: async (
      id: string,
      why = "An operator cancelled the flow.",
    ): Promise<"asked" | "stopped" | "over" | "unknown"> => {
      const found = await latestOf(id, executions);
      if (found === undefined) return "unknown";
      if (found.Status === "RUNNING") return cancelRunning(found, why, executions, services);
      // In case Lambda ended it, or an earlier request stopped it and then failed.
      await tidyUp(found, services);
      return "over";
    },

    restart: (id: string, effectDays = leastEffectDays) => {
      const clean = (found: Execution) =>
        Promise.all([tidyUp(found, services), services.cancels.forget(identityOf(found))]);
      return restart(id, executions, clean, services, effectDays);
    },
    /** An execution that was itself a restart may turn out to be too old later. */
    planRestart: (flows: readonly ListedFlow[], effectDays = leastEffectDays) =>
      planRestart(flows, services.now(), effectDays),

    /** Repeatable. */
    erase: async (id: string): Promise<void> => {
      const found = await executions.open(id);
      if (found === undefined) return;
      const address = { method: "DELETE", parts: ["durable-executions", found.DurableExecutionArn] } as const;
      await services.callDurable("DeleteDurableExecution", address);
    },
  };
}

async function listFlows(
  executions: Executions,
  { status, flow, appId, limit = 100 }: FlowSelection,
): Promise<readonly ListedFlow[]> {
  const isWanted = (id: string) => flow === undefined || flowOf(id) === flow;
  const most = appId === undefined ? limit : undefined;
  const found: ListedFlow[] = [];
  for await (const execution of executions.list({ Statuses: status }, most, isWanted))
    found.push(toListed(execution));
  found.sort((one, other) => Number(other.startedAt) - Number(one.startedAt));
  return appId === undefined ? found.slice(0, limit) : ofApp(appId, found, limit, executions);
}

async function ofApp(
  appId: string,
  flows: readonly ListedFlow[],
  limit: number,
  executions: Executions,
): Promise<readonly ListedFlow[]> {
  const found: ListedFlow[] = [];
  for (const part of inParts(flows, flowsAtOnce)) {
    const read = await mapConcurrently(part, flowsAtOnce, async (flow) => {
      const execution = await executions.open(flow.id);
      return execution && requestOf(execution)?.appId === appId ? [flow] : [];
    });
    found.push(...read.flat());
    if (found.length >= limit) break;
  }
  return found.slice(0, limit);
}

async function latestOf(id: string, executions: Executions): Promise<Execution | undefined> {
  const found = await executions.open(id);
  if (found?.Status !== "SUCCEEDED") return found;
  const next = nextIdIn(await executions.stepsOf(found.DurableExecutionArn));
  return (next === undefined ? undefined : await latestOf(next, executions)) ?? found;
}

/** Matches a prefix: a retried step has a longer name. */
function nextIdIn(steps: readonly ShownStep[]) {
  const isDone = ({ name, value }: ShownStep) => name.startsWith(continueStep) && value !== undefined;
  const { id } = Object(steps.findLast(isDone)?.value);
  return typeof id === "string" ? id : undefined;
}

async function cancelRunning(
  found: Execution,
  why: string,
  executions: Executions,
  services: FlowOperatorServices,
): Promise<"asked" | "stopped"> {
  const { callDurable, cancels, waitForStep } = services;
  const { DurableExecutionArn: arn, DurableExecutionName: id } = found;
  const complete = (callbackId: string) => completeCallback(callDurable, callbackId);
  if (await cancels.request(identityOf(found), complete)) return "asked";
  const clean = async (closed?: readonly OpenWait[]) => {
    const waits = await tidyUp(found, services, closed);
    await cancels.forget(identityOf(found));
    return waits;
  };
  await stop(arn, why, services);
  const closed = await clean();
  if (waitForStep === undefined) return "stopped";
  const storesWaits = requestOf(found)?.waitsFor.length !== 0;
  for (let leftMs = longestInvocationMs; leftMs > 0; leftMs -= lookEveryMs) {
    if (!(await executions.mayRun(arn, storesWaits))) break;
    await waitForStep(id, lookEveryMs);
  }
  // The step may have stored more.
  await clean(closed);
  return "stopped";
}

/** `timeout` in serverless.yml, and half a minute. */
const longestInvocationMs = 150_000;
const lookEveryMs = 10_000;

/** A flow's id is that of its first execution. */
function identityOf(found: Execution) {
  return requestOf(found)?.identity ?? found.DurableExecutionName;
}

async function stop(arn: string, why: string, { callDurable }: FlowOperatorServices) {
  const error = { ErrorType: "FlowCancelled", ErrorMessage: why };
  const address = { method: "POST", parts: ["durable-executions", arn, "stop"] } as const;
  await callDurable("StopDurableExecution", address, error).catch((failure: unknown) => {
    if (!isOver(failure)) throw failure;
  });
}

async function tidyUp(
  found: Execution,
  { marks, waits, questions }: FlowOperatorServices,
  closed: readonly OpenWait[] = [],
): Promise<readonly OpenWait[]> {
  const id = found.DurableExecutionName;
  const request = requestOf(found);
  if (request === undefined) return [];
  await marks.end(request.appId, request.waitsFor, id);
  const open = [...closed, ...(await questions.ofFlow(id))];
  for (const wait of open) await waits.close(wait);
  return open;
}

/** @param table the flows table, whose key is `waits` and `flow` */
export function openFlowOperator(
  table: Table,
  services: Pick<FlowOperatorServices, "functionName" | "waitForStep"> & { readonly callAws: AwsCaller },
  now: () => number,
) {
  const { callAws, functionName } = services;
  const marks = createFlowMarks(table, now);
  const questions = createFlowQuestions(table, now);
  const starter = createFlowStarter({ callAws, marks, functionName });
  const operator = createFlowOperator({
    ...services,
    callDurable: createDurableApi(callAws),
    marks,
    questions,
    waits: createFlowWaits(table, now),
    cancels: createFlowCancels(table, now),
    restarts: createFlowRestarts(table, now),
    starter,
    now,
  });
  return { operator, marks, questions, starter };
}
