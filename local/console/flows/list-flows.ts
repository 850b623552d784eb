import type { StoredExecution } from "../../cloud/durable/stored-execution.ts";
import { type FlowList, type FlowState, flowStates } from "../api/flows.ts";
import { requestOf, showFlowRow, stateOf } from "./show-flow.ts";

export interface FlowFilter {
  readonly state?: FlowState | undefined;
  readonly flow?: string | undefined;
  readonly app?: string | undefined;
  /** In id, input or error. */
  readonly search?: string | undefined;
  /** The previous page's `next`. */
  readonly before?: string | undefined;
}

const pageSize = 50;

/** Newest first. */
export function listFlows(all: readonly StoredExecution[], filter: FlowFilter): FlowList {
  const { state, flow, app, before } = filter;
  const words = (filter.search ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  const found = all.filter(
    (execution) =>
      (state === undefined || stateOf(execution) === state) &&
      (flow === undefined || flowOf(execution) === flow) &&
      (app === undefined || requestOf(execution)?.appId === app) &&
      (words.length === 0 || holds(execution, words)),
  );
  const inOrder = found.toSorted((one, other) => (keyOf(one) < keyOf(other) ? 1 : -1));
  const rest = before === undefined ? inOrder : inOrder.filter((one) => keyOf(one) < before);
  const page = rest.slice(0, pageSize);
  const last = page.at(-1);
  return {
    rows: page.map(showFlowRow),
    ...(rest.length > page.length && last !== undefined && { next: keyOf(last) }),
    counts: countStates(all),
    flows: [...new Set(all.map(flowOf))].toSorted(),
    apps: [...new Set(all.flatMap((one) => requestOf(one)?.appId ?? []))].toSorted(),
  };
}

/** Sorts by start, then by name. */
function keyOf({ startedAtMs, name }: StoredExecution): string {
  return `${String(startedAtMs).padStart(15, "0")} ${name}`;
}

function flowOf(execution: StoredExecution): string {
  return requestOf(execution)?.flow ?? execution.name;
}

function holds(execution: StoredExecution, words: readonly string[]): boolean {
  const { name, payload, error } = execution;
  const text = `${name} ${payload} ${error?.ErrorType ?? ""} ${error?.ErrorMessage ?? ""}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

function countStates(all: readonly StoredExecution[]): FlowList["counts"] {
  const counts: Record<FlowState, number> = {
    running: 0,
    succeeded: 0,
    failed: 0,
    cancelled: 0,
    "timed out": 0,
  };
  for (const execution of all) counts[stateOf(execution)] += 1;
  return counts;
}

export function readState(text: string | undefined): FlowState | undefined {
  return flowStates.find((one) => one === text);
}
