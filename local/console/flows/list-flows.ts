import * as z from "zod/mini";
import type { StoredExecution } from "../../cloud/durable/stored-execution.ts";
import { type FlowList, flowStates } from "../api/flows.ts";
import { aCount, aText } from "../read-input.ts";
import { countNames, namesOf, pageOf } from "../rows.ts";
import { requestOf, showFlowRow, stateOf } from "./show-flow.ts";

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
    ...pageOf(inOrder, page, 50, showFlowRow),
    counts: countNames(all.map(stateOf)),
    flows: namesOf(all.map(flowOf)),
  };
}

function flowOf(execution: StoredExecution): string {
  return requestOf(execution)?.flow ?? execution.name;
}

function holds({ name, payload, error }: StoredExecution, words: readonly string[]): boolean {
  const text = `${name} ${payload} ${error?.ErrorType} ${error?.ErrorMessage}`.toLowerCase();
  return words.every((word) => text.includes(word));
}
