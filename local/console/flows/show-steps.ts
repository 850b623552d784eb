import type { StoredExecution } from "../../cloud/durable/stored-execution.ts";
import type { FlowStep, FlowWait } from "../api/flows.ts";
import { shownValue } from "./flow-values.ts";
import { groupOperations } from "./group-operations.ts";
import { judgeStep, triesOf, waitOf } from "./judge-step.ts";

/**
 * A step has its attempts and the delays between them, the three operations of a wait for an event, or
 * parallel branches.
 * @see lib/flows/flow-step.ts, lib/flows/wait-for-event.ts, lib/flows/run-flow.ts, which name the operations
 */
export function showSteps(execution: StoredExecution): {
  readonly steps: readonly FlowStep[];
  readonly waits: readonly FlowWait[];
} {
  const operations = execution.operations.slice(1);
  const known = new Set(operations.map(({ Id }) => Id));
  // Operations without a parent are at the top level.
  const children = Map.groupBy(operations, ({ ParentId = "" }) => (known.has(ParentId) ? ParentId : ""));
  const events = Map.groupBy(execution.events, ({ Id }) => Id);
  const waits: FlowWait[] = [];

  /** @param isOver the parent has ended, so open steps will not continue */
  const showAll = (parent: string, isOver: boolean): FlowStep[] =>
    groupOperations(children.get(parent) ?? []).map((group): FlowStep => {
      const { kind, name, first, all } = group;
      const inner =
        first.Type === "CONTEXT" ? showAll(first.Id, isOver || first.EndTimestamp !== undefined) : [];
      const wait = waitOf(group, execution);
      if (wait !== undefined && !isOver) waits.push(wait);
      const { state, words, gave, valueId = "" } = judgeStep(group);
      const isWaiting =
        wait !== undefined || kind === "cancel" || inner.some((one) => one.state === "waiting");
      const tries = triesOf(all.flatMap(({ Id }) => events.get(Id) ?? []));
      // Success at the first attempt shows no attempts.
      const hasTries = (kind === "step" && tries.length > 1) || tries.some(({ isGood }) => !isGood);
      return {
        ...{ id: first.Id, kind, name, words, inner, startedAtMs: first.StartTimestamp.getTime() },
        state: state ?? (isOver ? "stopped" : isWaiting ? "waiting" : "running"),
        endedAtMs: state && all.at(-1)?.EndTimestamp?.getTime(),
        tries: hasTries ? tries : [],
        gave: gave === undefined ? undefined : shownValue(gave, valueId),
      };
    });
  return { steps: showAll("", execution.status !== "RUNNING"), waits };
}
