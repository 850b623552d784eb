import { isRecord, parseJson } from "../../../lib/base/json.ts";
import { type FlowRequest, flowRequestSchema } from "../../../lib/effects/flow-request.ts";
import type { HistoryEvent, StoredExecution } from "../../cloud/durable/stored-execution.ts";
import type { FlowDetail, FlowInvocation, FlowRow, FlowState, FlowWait } from "../api/flows.ts";
import { shownValue } from "./flow-values.ts";
import { showSteps } from "./show-steps.ts";

export function showFlowRow(execution: StoredExecution): FlowRow {
  const { waits } = execution.status === "RUNNING" ? showSteps(execution) : { waits: [] };
  return toRow(execution, [...waits, ...retryOf(execution)]);
}

/** @param place where its error was thrown, if known */
export function showFlow(execution: StoredExecution, place: string | undefined): FlowDetail {
  const { steps, waits } = showSteps(execution);
  const all = [...waits, ...retryOf(execution)];
  const { causedBy, waitsFor = [], input } = requestOf(execution) ?? {};
  const { result, error } = execution;
  return {
    ...toRow(execution, all),
    input: shownValue(JSON.stringify(input) ?? "null", "input"),
    ...(result !== undefined && result !== "null" && { result: shownValue(result, "result") }),
    ...(error !== undefined && {
      error: { type: error.ErrorType ?? "Error", message: error.ErrorMessage ?? "" },
    }),
    ...(place !== undefined && { place }),
    ...(causedBy !== undefined && { causedBy }),
    listensFor: waitsFor,
    steps,
    waits: all,
    invocations: execution.events.flatMap(toInvocation).slice(-mostInvocations),
    version: execution.version,
  };
}

const mostInvocations = 50;

/** Undefined for another execution. Cached. */
export function requestOf(execution: StoredExecution): FlowRequest | undefined {
  if (!requests.has(execution)) {
    requests.set(execution, flowRequestSchema.safeParse(parseJson(execution.payload)).data);
  }
  return requests.get(execution);
}

const requests = new WeakMap<StoredExecution, FlowRequest | undefined>();

export function stateOf({ status }: Pick<StoredExecution, "status">): FlowState {
  return states[status];
}

const states = {
  RUNNING: "running",
  SUCCEEDED: "succeeded",
  FAILED: "failed",
  STOPPED: "cancelled",
  TIMED_OUT: "timed out",
} as const;

function toRow(execution: StoredExecution, waits: readonly FlowWait[]): FlowRow {
  const { name, startedAtMs, endedAtMs, error } = execution;
  const { flow = name, appId = "", input } = requestOf(execution) ?? {};
  const [first] = waits.toSorted(
    (one, other) => (one.untilMs ?? Number.POSITIVE_INFINITY) - (other.untilMs ?? Number.POSITIVE_INFINITY),
  );
  const ended = error === undefined ? "" : `${error.ErrorType ?? "Error"}: ${error.ErrorMessage ?? ""}`;
  const words = execution.status === "RUNNING" ? wordsOf(first, waits.length) : ended.slice(0, 300);
  return {
    id: name,
    flow,
    appId,
    about: describeInput(input),
    state: stateOf(execution),
    startedAtMs,
    ...(endedAtMs !== undefined && { endedAtMs }),
    words,
    ...(first?.untilMs !== undefined && { dueAtMs: first.untilMs }),
  };
}

function wordsOf(first: FlowWait | undefined, count: number): string {
  if (first === undefined) return "runs";
  const others = count > 1 ? `, and ${count - 1} more` : "";
  return `${first.words.slice(0, 200)}${others}`;
}

/** `uid ann, what a day off` */
export function describeInput(input: unknown): string {
  if (!isRecord(input)) return input === undefined ? "" : (JSON.stringify(input) ?? "").slice(0, 80);
  return Object.entries(input)
    .filter(([, value]) => typeof value !== "object" || value === null)
    .slice(0, 4)
    .map(([name, value]) => `${name} ${String(value).slice(0, 60)}`)
    .join(", ");
}

/** A failed invocation is retried with growing delays. */
function retryOf({ status, failures, invokeAtMs, events }: StoredExecution): readonly FlowWait[] {
  if (status !== "RUNNING" || failures === 0 || invokeAtMs === undefined) return [];
  const why = events.flatMap(toInvocation).at(-1)?.error;
  const times = failures === 1 ? "once" : `${failures} times in a row`;
  return [
    {
      words: `the function failed ${times} and will be retried${why === undefined ? "" : `: ${why}`}`,
      untilMs: invokeAtMs,
      fire: "try now",
    },
  ];
}

function toInvocation(event: HistoryEvent): FlowInvocation[] {
  if (event.EventType !== "InvocationCompleted") return [];
  const details = event.InvocationCompletedDetails;
  if (!isRecord(details)) return [];
  const { StartTimestamp, EndTimestamp, RequestId, Error: error } = details;
  const payload = isRecord(error) && isRecord(error.Payload) ? error.Payload : undefined;
  return [
    {
      startedAtMs: StartTimestamp instanceof Date ? StartTimestamp.getTime() : event.EventTimestamp.getTime(),
      endedAtMs: EndTimestamp instanceof Date ? EndTimestamp.getTime() : event.EventTimestamp.getTime(),
      requestId: String(RequestId ?? ""),
      ...(payload !== undefined && { error: shortError(payload.ErrorMessage) }),
    },
  ];
}

/** JSON with the error's name and message, after a failed invocation. */
function shortError(text: unknown): string {
  const read = typeof text === "string" ? parseJson(text) : undefined;
  if (!isRecord(read)) return String(text ?? "it failed").slice(0, 300);
  return `${read.errorType ?? "Error"}: ${read.errorMessage ?? ""}`.slice(0, 300);
}
