import * as z from "zod/mini";
import { isRecord, parseJson } from "../../../lib/base/json.ts";
import { type FlowRequest, flowRequestSchema } from "../../../lib/effects/flow-request.ts";
import type { StoredExecution } from "../../cloud/durable/stored-execution.ts";
import {
  type FlowDetail,
  type FlowList,
  type FlowRow,
  type FlowState,
  type FlowWait,
  flowStates,
} from "../api/flows.ts";
import { aCount, aText } from "../read-input.ts";
import { textAt } from "../read-value.ts";
import { countNames, namesOf, pageOf } from "../rows.ts";
import { shownValue } from "./flow-values.ts";
import { showSteps } from "./show-steps.ts";

function showFlowRow(execution: StoredExecution): FlowRow {
  const { waits } = execution.status === "RUNNING" ? showSteps(execution, (text) => text) : { waits: [] };
  return toRow(execution, [...waits, ...retryOf(execution)]);
}

export function showFlow(
  execution: StoredExecution,
  place: string | undefined,
  redact: (text: string) => string,
): FlowDetail {
  const { steps, waits: ofSteps } = showSteps(execution, redact);
  const waits = [...ofSteps, ...retryOf(execution)];
  const { causedBy, waitsFor = [], input } = requestOf(execution) ?? {};
  const { result, error } = execution;
  return {
    ...toRow(execution, waits),
    place,
    causedBy,
    listensFor: waitsFor,
    steps,
    waits,
    input: shownValue(JSON.stringify(input) ?? "null", "input", redact),
    result: result === undefined || result === "null" ? undefined : shownValue(result, "result", redact),
    error: error && { type: error.ErrorType ?? "Error", message: error.ErrorMessage ?? "" },
  };
}

export function restartOf(execution: StoredExecution, all: readonly StoredExecution[]): string | undefined {
  const { name, startedAtMs, status } = execution;
  if (status === "RUNNING" || status === "SUCCEEDED") return undefined;
  const first = requestOf(execution)?.restart?.of ?? name;
  const isLater = (one: StoredExecution) =>
    one.startedAtMs > startedAtMs && requestOf(one)?.restart?.of === first;
  const later = all.filter(isLater);
  return later.toSorted((one, other) => one.startedAtMs - other.startedAtMs)[0]?.name;
}

/** Returns a flow's request; undefined for another execution. Cached. */
export function requestOf(execution: StoredExecution): FlowRequest | undefined {
  if (!requests.has(execution)) {
    requests.set(execution, flowRequestSchema.safeParse(parseJson(execution.payload)).data);
  }
  return requests.get(execution);
}

const requests = new WeakMap<StoredExecution, FlowRequest | undefined>();

function stateOf({ status }: StoredExecution): FlowState {
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
  const { name: id, startedAtMs, endedAtMs, error } = execution;
  const { flow = id, appId = "", input } = requestOf(execution) ?? {};
  const dueOf = ({ untilMs = Number.POSITIVE_INFINITY }: FlowWait) => untilMs;
  const [first, ...others] = waits.toSorted((one, other) => dueOf(one) - dueOf(other));
  const more = others.length > 0 ? `, and ${others.length} more` : "";
  const waiting = first === undefined ? "runs" : `${first.words.slice(0, 200)}${more}`;
  const ended = error === undefined ? "" : `${error.ErrorType ?? "Error"}: ${error.ErrorMessage ?? ""}`;
  return {
    id,
    flow,
    appId,
    about: describeInput(input),
    state: stateOf(execution),
    startedAtMs,
    endedAtMs,
    words: execution.status === "RUNNING" ? waiting : ended.slice(0, 300),
    dueAtMs: first?.untilMs,
  };
}

/** `uid ann, what a day off` */
function describeInput(input: unknown) {
  if (!isRecord(input)) return input === undefined ? "" : (JSON.stringify(input) ?? "").slice(0, 80);
  return Object.entries(input)
    .filter(([, value]) => typeof value !== "object" || value === null)
    .slice(0, 4)
    .map(([name, value]) => `${name} ${String(value).slice(0, 60)}`)
    .join(", ");
}

function retryOf({ status, failures, invokeAtMs: untilMs, events }: StoredExecution): readonly FlowWait[] {
  if (status !== "RUNNING" || failures === 0 || untilMs === undefined) return [];
  const last = events.findLast(({ EventType }) => EventType === "InvocationCompleted");
  const error = textAt(last?.InvocationCompletedDetails, "Error.Payload.ErrorMessage");
  const times = failures === 1 ? "once" : `${failures} times in a row`;
  const words = `the function failed ${times} and will be retried${error && `: ${shortError(error)}`}`;
  return [{ words, untilMs, fire: "try now" }];
}

function shortError(text: string) {
  const read = parseJson(text);
  if (!isRecord(read)) return text.slice(0, 300);
  return `${read.errorType ?? "Error"}: ${read.errorMessage ?? ""}`.slice(0, 300);
}

export const flowFilterSchema = z.object({
  state: z.optional(z.enum(flowStates)),
  flow: aText,
  app: aText,
  /** Words that all occur in id, input or error. */
  search: aText,
  page: aCount,
});

/** Newest first. */
export function listFlows(
  all: readonly StoredExecution[],
  { state, flow, app, search = "", page }: z.output<typeof flowFilterSchema>,
): FlowList {
  const words = search.toLowerCase().split(/\s+/);
  const found = all.filter(
    (execution) =>
      (state === undefined || stateOf(execution) === state) &&
      (flow === undefined || flowOf(execution) === flow) &&
      (app === undefined || requestOf(execution)?.appId === app) &&
      holds(execution, words),
  );
  const inOrder = found.toSorted((one, other) => other.startedAtMs - one.startedAtMs);
  return {
    ...pageOf(inOrder, page, 50, (one) => {
      const restartedAs = restartOf(one, all);
      const row = showFlowRow(one);
      return restartedAs === undefined ? row : { ...row, words: `started again as ${restartedAs}` };
    }),
    counts: countNames(all.map(stateOf)),
    flows: namesOf(all.map(flowOf)),
  };
}

function flowOf(execution: StoredExecution) {
  return requestOf(execution)?.flow ?? execution.name;
}

function holds({ name, payload, error }: StoredExecution, words: readonly string[]) {
  const text = `${name} ${payload} ${error?.ErrorType} ${error?.ErrorMessage}`.toLowerCase();
  return words.every((word) => text.includes(word));
}
