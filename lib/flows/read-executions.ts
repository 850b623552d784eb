import * as z from "zod/mini";
import { isNotFound } from "../aws/aws-call.ts";
import { parseJson } from "../base/json.ts";
import { type FlowRequest, flowRequestSchema } from "../effects/flow-request.ts";
import { type CallDurable, pagesOf, timestamp } from "./durable-api.ts";
import { fromFlowText } from "./flow.ts";
import {
  type ExecutionQuery,
  type ListedExecution,
  listExecutions,
  listedSchema,
} from "./list-executions.ts";

export interface ListedFlow extends ReturnType<typeof toListed> {
  readonly restartedAs?: string | undefined;
}

export interface ShownStep {
  readonly at: Date;
  /** Lambda's event type, such as `StepSucceeded` or `WaitStarted`. */
  readonly what: string;
  readonly name: string;
  /** Of a `StepSucceeded`: Lambda knows only that it ended. Such as `done`, `failed` or `again`. */
  readonly outcome?: string | undefined;
  readonly value?: unknown;
  readonly cause?: string | undefined;
}

export type Executions = ReturnType<typeof openExecutions>;
export type Execution = z.infer<typeof executionSchema>;

/** Caches ARNs: a name must be searched in every version. */
export function openExecutions(callDurable: CallDurable, functionName: string) {
  const arns = new Map<string, string>();
  const list = async function* (query: ExecutionQuery, most?: number, isWanted?: (id: string) => boolean) {
    for await (const execution of listExecutions(callDurable, functionName, query, most, isWanted)) {
      arns.set(execution.DurableExecutionName, execution.DurableExecutionArn);
      yield execution;
    }
  };
  const find = async (id: string) => {
    for await (const { DurableExecutionName, DurableExecutionArn } of list({ DurableExecutionName: id }))
      if (DurableExecutionName === id) return DurableExecutionArn;
    return undefined;
  };
  const eventsOf = async function* (arn: string) {
    const parts = ["durable-executions", arn, "history"];
    const query = { IncludeExecutionData: true };
    const read = (Marker: string | undefined) =>
      callDurable("GetDurableExecutionHistory", { method: "GET", parts, query: { ...query, Marker } });
    for await (const { Events } of pagesOf(historySchema, read)) yield* Events;
  };
  return {
    list,
    open: async (id: string) => {
      const arn = arns.get(id) ?? (await find(id));
      if (arn === undefined) return undefined;
      const address = { method: "GET", parts: ["durable-executions", arn] } as const;
      try {
        return executionSchema.parse(await callDurable("GetDurableExecution", address));
      } catch (error) {
        if (!isNotFound(error)) throw error;
        arns.delete(id);
        return undefined;
      }
    },
    stepsOf: async (arn: string): Promise<readonly ShownStep[]> => {
      const steps: ShownStep[] = [];
      for await (const event of eventsOf(arn)) steps.push(...toStep(event));
      return steps;
    },
    /** Whether an invocation may run, also after a stop. */
    mayRun: async (arn: string, storesWaits: boolean): Promise<boolean> => {
      let hasEnded = false;
      let isStopped = false;
      const open = new Set<unknown>();
      for await (const { EventType, ...event } of eventsOf(arn)) {
        isStopped ||= EventType === "ExecutionStopped";
        if (EventType.startsWith("Execution")) continue;
        if (EventType === "StepStarted") open.add(event.Id);
        else open.delete(event.Id);
        // After a failure, Lambda invokes again.
        const mayStore = storesWaits || open.size > 0;
        const isFinal = isStopped || !(mayStore && isFailed(event.InvocationCompletedDetails));
        hasEnded = EventType === "InvocationCompleted" && isFinal;
      }
      return !hasEnded;
    },
  };
}

function isFailed(details: unknown) {
  return Object(details).Error !== undefined;
}

export function requestOf({ InputPayload = "" }: Execution): FlowRequest | undefined {
  return flowRequestSchema.safeParse(parseJson(InputPayload)).data;
}

const text = z.optional(z.string());
const errorSchema = z.object({ ErrorMessage: text });
const executionSchema = z.extend(listedSchema, {
  InputPayload: text,
  Result: text,
  Error: z.optional(errorSchema),
});
const historySchema = z.object({
  Events: z.array(
    z.looseObject({ EventType: z.string(), EventTimestamp: timestamp, Name: text, SubType: text }),
  ),
  NextMarker: text,
});
const detailsSchema = z.object({
  Result: z.optional(z.object({ Payload: text })),
  Error: z.optional(z.object({ Payload: z.optional(errorSchema) })),
});
const outcomeSchema = z.object({ kind: z.string(), text, cause: text });

type HistoryEvent = z.infer<typeof historySchema>["Events"][number];

export function flowOf(id: string): string {
  return id.slice(0, Math.max(0, id.lastIndexOf("_")));
}

export function toListed(found: ListedExecution) {
  const {
    DurableExecutionName: id,
    Status: status,
    StartTimestamp: startedAt,
    EndTimestamp: endedAt,
  } = found;
  return { id, flow: flowOf(id), status, startedAt, endedAt };
}

/** Skips beginning, end, and successful invocations. */
function toStep(event: HistoryEvent): readonly ShownStep[] {
  const { EventType: what, EventTimestamp: at, Name: name } = event;
  if (isFailed(event.InvocationCompletedDetails)) {
    const { ErrorMessage: cause } = Object(Object(event.InvocationCompletedDetails).Error.Payload);
    return [{ at, what: "InvocationFailed", name: "", cause }];
  }
  if (name === undefined || what.startsWith("Execution")) return [];
  const details = detailsSchema.safeParse(event[`${what}Details`]);
  const { Result, Error: error } = details.success ? details.data : {};
  const outcome = outcomeSchema.safeParse(parseJson(Result?.Payload ?? ""));
  const cause = error?.Payload?.ErrorMessage ?? outcome.data?.cause;
  const value = outcome.data?.text;
  return [
    {
      at,
      what,
      name,
      outcome: outcome.data?.kind,
      value: value === undefined ? undefined : fromFlowText(value),
      cause,
    },
  ];
}
