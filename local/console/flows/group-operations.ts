import type { Operation } from "../../cloud/durable/stored-execution.ts";
import type { FlowStep } from "../api/flows.ts";
import { readOutcome } from "./read-outcome.ts";

export interface Group {
  readonly kind: FlowStep["kind"];
  readonly name: string;
  readonly first: Operation;
  /** In the order of their beginnings. */
  readonly all: Operation[];
  /** The operation name of a step's next attempt. */
  nextTry?: string | undefined;
}

export function groupOperations(operations: readonly Operation[]): Group[] {
  const groups: Group[] = [];
  for (const operation of operations) {
    const open = groups.findLast((one) => belongsTo(operation, one));
    if (open === undefined) {
      groups.push(begin(operation));
      continue;
    }
    open.all.push(operation);
    if (operation.Type === "STEP") open.nextTry = nextTryOf(open, operation);
  }
  return groups;
}

function begin(first: Operation): Group {
  const { Name = "", Type, SubType } = first;
  const made: Group = { kind: "step", name: Name, first, all: [first] };
  switch (Type) {
    case "WAIT":
      return { ...made, kind: "wait" };
    case "CALLBACK":
      return Name === "cancelled"
        ? { ...made, kind: "cancel" }
        : { ...made, kind: "event", name: Name.replace(/^wait for /, "") };
    case "CONTEXT":
      return { ...made, kind: SubType === "ParallelBranch" ? "way" : "ways" };
    default:
      return { ...made, nextTry: nextTryOf(made, first) };
  }
}

function belongsTo({ Type, Name = "" }: Operation, { kind, name, all, nextTry }: Group): boolean {
  const isOpen = kind === "step" ? nextTry !== undefined : true;
  switch (kind) {
    case "step":
      if (!isOpen) return false;
      if (Type === "STEP") return Name === nextTry || isPauseStep(Name, name);
      if (Type === "WAIT") return Name.startsWith("before ") && Name.endsWith(" again");
      return Type === "CALLBACK" && Name.startsWith("pause before ");
    case "event": {
      const isAsked = all.some((one) => one.Name === `outcome of ${name}` && isDone(one));
      if (isAsked) return false;
      if (Type === "STEP")
        return (
          isOwnStep(Name, `ask for ${name}`) ||
          isOwnStep(Name, `outcome of ${name}`) ||
          isPauseStep(Name, `outcome of ${name}`)
        );
      return (
        all.length > 1 &&
        Type !== "CONTEXT" &&
        isBetweenTries(Name, [`ask for ${name}`, `outcome of ${name}`])
      );
    }
    case "cancel":
      if (Type === "STEP")
        return (
          isOwnStep(Name, "listen for a cancel") && !all.some((one) => one.Type === "STEP" && isDone(one))
        );
      return all.length > 1 && isBetweenTries(Name, ["listen for a cancel"]);
    default:
      return false;
  }
}

function isOwnStep(name: string, base: string): boolean {
  return name === base || (name.startsWith(`${base} (again `) && name.endsWith(")"));
}

function isPauseStep(name: string, base: string): boolean {
  return name.startsWith(`wait for the end of the pause before ${base}`);
}

function isBetweenTries(name: string, bases: readonly string[]): boolean {
  return bases.some((base) =>
    ["before", "after", "pause before"].some((word) => name.startsWith(`${word} ${base}`)),
  );
}

function nextTryOf(
  { name }: Pick<Group, "name">,
  { StepDetails, Status, Name = "" }: Operation,
): string | undefined {
  if (isPauseStep(Name, name)) return undefined;
  if (Status !== "SUCCEEDED") return undefined;
  const { kind, waits } = readOutcome(StepDetails?.Result);
  return kind === "again" || kind === "held" ? `${name} (again ${waits})` : undefined;
}

function isDone({ StepDetails, Status }: Operation): boolean {
  return Status === "FAILED" || readOutcome(StepDetails?.Result).kind === "done";
}
