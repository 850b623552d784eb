import type { StoredExecution } from "../../cloud/durable/stored-execution.ts";
import { type FlowList, type FlowState, flowStates } from "../api/flows.ts";
import { requestOf, showFlowRow, stateOf } from "./show-flow.ts";

const pageSize = 50;

/**
 * Newest first.
 * @param filter `search` is in id, input or error; `before` is the previous page's `next`
 */
export function listFlows(
  all: readonly StoredExecution[],
  { state, flow, app, search = "", before = "~" }: Readonly<Record<string, string | undefined>>,
): FlowList {
  const wanted = flowStates.find((one) => one === state);
  const words = search.toLowerCase().split(/\s+/);
  const found = all.filter(
    (execution) =>
      (wanted === undefined || stateOf(execution) === wanted) &&
      (flow === undefined || flowOf(execution) === flow) &&
      (app === undefined || requestOf(execution)?.appId === app) &&
      holds(execution, words) &&
      keyOf(execution) < before,
  );
  const inOrder = found.toSorted((one, other) => (keyOf(one) < keyOf(other) ? 1 : -1));
  const page = inOrder.slice(0, pageSize);
  const last = page.at(-1);
  return {
    rows: page.map(showFlowRow),
    next: last !== undefined && inOrder.length > page.length ? keyOf(last) : undefined,
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

function holds({ name, payload, error }: StoredExecution, words: readonly string[]): boolean {
  const text = `${name} ${payload} ${error?.ErrorType} ${error?.ErrorMessage}`.toLowerCase();
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
