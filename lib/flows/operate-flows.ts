import type { Table } from "../aws/table.ts";
import { continueStep } from "./continue-as.ts";
import { type CallDurable, completeCallback, isOver } from "./durable-api.ts";
import { createFlowCancels, type FlowCancels } from "./flow-cancels.ts";
import { createFlowMarks, type FlowMarks } from "./flow-marks.ts";
import { createFlowQuestions, type FlowQuestions } from "./flow-questions.ts";
import { createFlowWaits, type FlowWaits } from "./flow-waits.ts";
import type { FlowStatus } from "./list-executions.ts";
import {
  type Execution,
  type Executions,
  type ListedFlow,
  openExecutions,
  requestOf,
  type ShownStep,
  toListed,
} from "./read-executions.ts";
import type { OpenWait } from "./wait-memory.ts";

export interface ShownFlow extends ListedFlow {
  readonly appId: string | undefined;
  readonly input: unknown;
  readonly result: string | undefined;
  readonly cause: string | undefined;
  readonly steps: readonly ShownStep[];
  /** Id of the next execution, after `continueAs`. */
  readonly continuedAs?: string | undefined;
}

interface FlowOperatorServices {
  readonly callDurable: CallDurable;
  readonly marks: FlowMarks;
  readonly waits: FlowWaits;
  readonly questions: FlowQuestions;
  readonly cancels: FlowCancels;
  readonly functionName: string;
  /** Called while a stopped flow may still run a step. Default: does not wait for its end. */
  readonly waitForStep?: ((id: string, ms: number) => Promise<void>) | undefined;
}

export type FlowOperator = ReturnType<typeof createFlowOperator>;

/**
 * Methods throw AwsCallError.
 * @see https://docs.aws.amazon.com/lambda/latest/api/API_GetDurableExecution.html
 * @see https://docs.aws.amazon.com/lambda/latest/api/API_GetDurableExecutionHistory.html
 * @see https://docs.aws.amazon.com/lambda/latest/api/API_StopDurableExecution.html
 * @see https://docs.aws.amazon.com/lambda/latest/api/API_DeleteDurableExecution.html
 */
export function createFlowOperator(services: FlowOperatorServices) {
  const executions = openExecutions(services.callDurable, services.functionName);
  return {
    /** Newest first; ended ones while Lambda keeps them (`retentionPeriodInDays`). Default: 100. */
    list: async (options: { readonly status?: FlowStatus; readonly limit?: number } = {}) => {
      const { status, limit = 100 } = options;
      const found: ListedFlow[] = [];
      for await (const execution of executions.list({ Statuses: status }, limit))
        found.push(toListed(execution));
      return found.sort((one, other) => Number(other.startedAt) - Number(one.startedAt)).slice(0, limit);
    },

    /** Returns a flow with steps and results; undefined if the id is unknown. */
    show: async (id: string): Promise<ShownFlow | undefined> => {
      const found = await executions.open(id);
      if (found === undefined) return undefined;
      const { Result, Error: error } = found;
      const request = requestOf(found);
      const steps = await executions.stepsOf(found.DurableExecutionArn);
      return {
        ...toListed(found),
        appId: request?.appId,
        input: request?.input,
        result: Result,
        cause: error?.ErrorMessage,
        steps,
        continuedAs: nextIdIn(steps),
      };
    },

    /**
     * Asks a flow that uses `flow.cancelled` to clean up. Stops others, and any at the second request: a
     * running step may still be carried out, and is waited for. Repeatable. Follows `continueAs`.
     * @param why stored in a stopped flow's error
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

    /** Deletes an ended flow with its input and results. Repeatable. */
    erase: async (id: string): Promise<void> => {
      const found = await executions.open(id);
      if (found === undefined) return;
      const address = { method: "DELETE", parts: ["durable-executions", found.DurableExecutionArn] } as const;
      await services.callDurable("DeleteDurableExecution", address);
    },
  };
}

/** Returns the flow's latest execution. */
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
  for (let leftMs = longestInvocationMs; leftMs > 0 && (await executions.mayRun(arn)); leftMs -= lookEveryMs)
    await waitForStep(id, lookEveryMs);
  // The step may have marked the flow, or stored the rest of a question.
  await clean(closed);
  return "stopped";
}

/** The timeout of `flows` in serverless.yml, and half a minute for its start. */
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
  services: Pick<FlowOperatorServices, "callDurable" | "functionName" | "waitForStep">,
  now: () => number,
) {
  const marks = createFlowMarks(table, now);
  const questions = createFlowQuestions(table, now);
  const [waits, cancels] = [createFlowWaits(table, now), createFlowCancels(table, now)];
  const operator = createFlowOperator({ ...services, marks, waits, questions, cancels });
  return { operator, marks, questions };
}
