import { parseJson } from "../../../lib/base/json.ts";
import type { Operation } from "../../cloud/durable/stored-execution.ts";
import type { FlowStep } from "../api/flows.ts";
import { textAt } from "../read-value.ts";

export interface Group {
  readonly kind: FlowStep["kind"];
  readonly name: string;
  readonly first: Operation;
  /** In the order of their beginnings. */
  readonly all: Operation[];
  /** What the names of its other operations are made of. */
  readonly parts: readonly string[];
}

/** A step's attempts and the delays between them, or the operations of a wait. */
export function groupOperations(operations: readonly Operation[]): Group[] {
  const groups: Group[] = [];
  for (const operation of operations) {
    const part = partOf(operation);
    const last = groups.findLast(({ parts }) => parts.includes(part));
    if (last !== undefined && mayGoOn(last)) last.all.push(operation);
    else groups.push(begin(operation));
  }
  return groups;
}

function begin(first: Operation): Group {
  const { Name: name = "", Type, SubType } = first;
  const made = { name, first, all: [first], parts: [] };
  switch (Type) {
    case "WAIT":
      return { ...made, kind: "wait" };
    case "CALLBACK": {
      if (name === "cancelled") return { ...made, kind: "cancel", parts: ["listen for a cancel"] };
      const event = name.replace(/^wait for /, "");
      return { ...made, kind: "event", name: event, parts: [`ask for ${event}`, `outcome of ${event}`] };
    }
    case "CONTEXT":
      return { ...made, kind: SubType === "ParallelBranch" ? "way" : "ways" };
    default:
      return { ...made, kind: "step", parts: [name] };
  }
}

/** Steps of a flow can have the same name. */
function mayGoOn({ kind, all }: Group): boolean {
  return kind !== "step" || ["again", "held"].includes(outcomeOf(all.findLast(isOwnStep)).kind);
}

const pausePrefix = "wait for the end of the pause before ";

/** Without what lib/flows/flow-step.ts and lib/flows/wait-for-event.ts add to a step's name. */
function partOf({ Type, Name = "" }: Operation): string {
  const inPause = Name.startsWith(pausePrefix) ? Name.slice(pausePrefix.length) : Name;
  const name = Type === "STEP" ? inPause : Name.replace(/^(pause before|before|after) /, "");
  return name.replace(/ again$| \(again \d+\)$/, "");
}

export function isOwnStep({ Type, Name = "" }: Operation): boolean {
  return Type === "STEP" && !Name.startsWith(pausePrefix);
}

export interface StepOutcome {
  readonly kind: string;
  readonly cause: string;
  readonly text: string;
}

/** What a step stored (lib/flows/flow-step.ts), or why it failed. */
export function outcomeOf(operation: Operation | undefined): StepOutcome {
  const { Result = "", Error: error } = operation?.StepDetails ?? {};
  const read = readOutcome(Result);
  const cause = read.cause || (error?.ErrorMessage ?? "");
  return operation?.Status === "FAILED" ? { ...read, kind: "failed", cause } : { ...read, cause };
}

export function readOutcome(result: string): StepOutcome {
  const read = parseJson(result);
  return { kind: textAt(read, "kind"), cause: textAt(read, "cause"), text: textAt(read, "text") };
}
