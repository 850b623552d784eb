import type { Operation, StoredExecution } from "../../cloud/durable/stored-execution.ts";
import type { FlowStep, FlowTry, FlowWait } from "../api/flows.ts";
import { collectTries } from "./collect-tries.ts";
import { shownValue } from "./flow-values.ts";
import { type Group, groupOperations } from "./group-operations.ts";
import { judgeStep, waitOf } from "./judge-step.ts";

export interface ShownSteps {
  readonly steps: readonly FlowStep[];
  readonly waits: readonly FlowWait[];
}

/**
 * A step has its attempts and the delays between them, the three operations of a wait for an event, or
 * parallel branches.
 * @see lib/flows/flow-step.ts, lib/flows/wait-for-event.ts, lib/flows/run-flow.ts, which name the operations
 */
export function showSteps(execution: StoredExecution): ShownSteps {
  const children = new Map<string, Operation[]>();
  const known = new Set(execution.operations.map(({ Id }) => Id));
  for (const operation of execution.operations.slice(1)) {
    // Shows operations without a parent at the top level.
    const parent =
      operation.ParentId !== undefined && known.has(operation.ParentId) ? operation.ParentId : "";
    children.set(parent, [...(children.get(parent) ?? []), operation]);
  }
  const triesOf = collectTries(execution.events);
  const waits: FlowWait[] = [];

  /** @param isOver the parent has ended, so open steps will not continue */
  const showAll = (parent: string, isOver: boolean): FlowStep[] => {
    const groups = groupOperations(children.get(parent) ?? []);
    return groups.map((one) => {
      const isLeft = isOver || one.first.EndTimestamp !== undefined;
      const inner = one.first.Type === "CONTEXT" ? showAll(one.first.Id, isLeft) : [];
      const { step, wait } = showGroup(one, { execution, triesOf, inner, isOver });
      if (wait !== undefined && !isOver) waits.push({ ...wait, stepId: step.id });
      return step;
    });
  };
  const steps = showAll("", execution.status !== "RUNNING");
  return { steps, waits };
}

interface Shown {
  readonly execution: StoredExecution;
  readonly triesOf: ReadonlyMap<string, readonly FlowTry[]>;
  readonly inner: readonly FlowStep[];
  readonly isOver: boolean;
}

function showGroup(
  one: Group,
  { execution, triesOf, inner, isOver }: Shown,
): { step: FlowStep; wait: Omit<FlowWait, "stepId"> | undefined } {
  const { kind, first, all } = one;
  const last = all.at(-1) ?? first;
  const tries = all.flatMap(({ Id, Type }) => (Type === "STEP" ? (triesOf.get(Id) ?? []) : []));
  const wait = waitOf(one, execution);
  const ended = judgeStep(one);
  const isWaitingNow =
    wait !== undefined || kind === "cancel" || inner.some((each) => each.state === "waiting");
  const state = ended.state ?? (isOver ? "stopped" : isWaitingNow ? "waiting" : "running");
  const endedAt = ended.state === undefined ? undefined : last.EndTimestamp;
  const step: FlowStep = {
    id: first.Id,
    kind,
    name: one.name,
    state,
    ...(ended.words !== undefined && { words: ended.words }),
    startedAtMs: first.StartTimestamp.getTime(),
    ...(endedAt !== undefined && { endedAtMs: endedAt.getTime() }),
    // Success at the first attempt shows no attempts.
    tries: (kind === "step" && tries.length > 1) || tries.some(({ isGood }) => !isGood) ? tries : [],
    ...(ended.gave !== undefined && { gave: shownValue(ended.gave, ended.valueId ?? last.Id) }),
    inner,
  };
  return { step, wait };
}
