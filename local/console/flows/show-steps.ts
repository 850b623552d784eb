import { parseJson } from "../../../lib/base/json.ts";
import { isWaiting } from "../../cloud/durable/pass-time.ts";
import type { HistoryEvent, Operation, StoredExecution } from "../../cloud/durable/stored-execution.ts";
import type { FlowStep, FlowTry, FlowWait } from "../api/flows.ts";
import { textAt } from "../read-value.ts";
import { shownValue } from "./flow-values.ts";

/** @see lib/flows/flow-step.ts, lib/flows/wait-for-event.ts, lib/flows/run-flow.ts */
export function showSteps(execution: StoredExecution, redact: (text: string) => string) {
  const operations = execution.operations.slice(1);
  const known = new Set(operations.map(({ Id }) => Id));
  const children = Map.groupBy(operations, ({ ParentId = "" }) => (known.has(ParentId) ? ParentId : ""));
  const events = Map.groupBy(execution.events, ({ Id }) => Id);
  const waits: FlowWait[] = [];

  /** @param isOver the parent has ended: open steps will not continue */
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
        id: first.Id,
        kind,
        name,
        words,
        inner,
        startedAtMs: first.StartTimestamp.getTime(),
        state: state ?? (isOver ? "stopped" : isWaiting ? "waiting" : "running"),
        endedAtMs: state && all.at(-1)?.EndTimestamp?.getTime(),
        tries: hasTries ? tries : [],
        gave: gave === undefined ? undefined : shownValue(gave, valueId, redact),
      };
    });
  return { steps: showAll("", execution.status !== "RUNNING"), waits };
}

interface Judged {
  readonly state?: FlowStep["state"];
  readonly words?: string;
  readonly gave?: string;
  readonly valueId?: string;
}

function judgeStep({ kind, first, all }: Group): Judged {
  if (kind === "step" || kind === "event") return judgeOutcome(kind, all);
  const { Status, ContextDetails } = first;
  if (Status === "STARTED") return {};
  if (Status === "FAILED")
    return { state: "failed", words: ContextDetails?.Error?.ErrorMessage ?? "It failed." };
  if (Status !== "SUCCEEDED") return { state: "stopped" };
  return { state: "done", ...(kind === "cancel" && { words: "cancellation was requested" }) };
}

function judgeOutcome(kind: "step" | "event", all: Group["all"]): Judged {
  const last = all.findLast(isOwnStep);
  if (last === undefined || (kind === "event" && !last.Name?.startsWith("outcome of "))) return {};
  const { kind: outcome, cause, text } = outcomeOf(last);
  if (outcome === "failed") return { state: "failed", words: cause || "It failed." };
  if (outcome === "ended") return { state: "stopped", words: "In shadow, this step has no result." };
  if (outcome !== "done") return {};
  const isEmpty = text === "" || text === "null";
  const words = isEmpty ? "timed out without an event" : "received the event";
  return {
    state: "done",
    ...(kind === "event" && { words }),
    ...(!isEmpty && { gave: text, valueId: last.Id }),
  };
}

function triesOf(events: readonly HistoryEvent[]): readonly FlowTry[] {
  const tries: FlowTry[] = [];
  for (const { EventType, EventTimestamp, [`${EventType}Details`]: details } of events) {
    if (!EventType.startsWith("Step")) continue;
    const atMs = EventTimestamp.getTime();
    const isOpen = tries.at(-1)?.endedAtMs === undefined;
    if (EventType === "StepStarted") tries.push({ startedAtMs: atMs, words: "began", isGood: true });
    else {
      const { startedAtMs = atMs } = (isOpen && tries.pop()) || {};
      tries.push({ startedAtMs, endedAtMs: atMs, ...judgeTry(EventType, details) });
    }
  }
  return tries;
}

function judgeTry(type: string, details: unknown): Pick<FlowTry, "words" | "isGood"> {
  if (type === "StepFailed") {
    // The SDK reports a step whose process ended.
    const isEnded = textAt(details, "Error.Payload.ErrorType") === "StepInterruptedError";
    const words = textAt(details, "Error.Payload.ErrorMessage") || "it failed";
    return { words: isEnded ? "the process ended during it" : words, isGood: false };
  }
  const { kind, cause } = readOutcome(textAt(details, "Result.Payload"));
  if (kind === "again" || kind === "failed") return { words: cause || "it failed", isGood: false };
  const words = kind === "held" ? "was paused" : kind === "ended" ? "ended in shadow" : "done";
  return { words, isGood: true };
}

function waitOf({ kind, name, all }: Group, execution: StoredExecution): FlowWait | undefined {
  const waiting = all.findLast(isWaiting);
  if (waiting === undefined || kind === "cancel") return undefined;
  const { Id: operationId, Type, Name = "", WaitDetails, StepDetails } = waiting;
  if (Type === "CALLBACK") {
    const until = { operationId, untilMs: execution.callbacks[operationId]?.timesOutAtMs };
    if (Name.startsWith("pause before "))
      return { ...until, words: `“${name}” waits until its pause ends`, fire: "try now" };
    const event = { trigger: name.split(", ")[0] ?? name };
    return { ...until, words: `waits for ${name}`, fire: "let its time pass", event };
  }
  const at = WaitDetails?.ScheduledEndTimestamp ?? StepDetails?.NextAttemptTimestamp;
  const until = { operationId, untilMs: at?.getTime() };
  if (kind === "wait") return { ...until, words: "waits", fire: "let its time pass" };
  const { cause } = outcomeOf(all.findLast(({ Type: type }) => type === "STEP"));
  return { ...until, words: `“${name}” will be retried${cause && `: ${cause}`}`, fire: "try now" };
}

interface Group {
  readonly kind: FlowStep["kind"];
  readonly name: string;
  readonly first: Operation;
  readonly all: Operation[];
  /** Prefixes of its other operations' names. */
  readonly parts: readonly string[];
}

/** Groups a step's attempts and delays, or the operations of a wait. */
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

/** Returns whether the group is unfinished: steps can have the same name. */
function mayGoOn({ kind, all }: Group) {
  return kind !== "step" || ["again", "held"].includes(outcomeOf(all.findLast(isOwnStep)).kind);
}

const pausePrefix = "wait for the end of the pause before ";

/** Returns the name without prefixes of lib/flows/flow-step.ts and lib/flows/wait-for-event.ts. */
function partOf({ Type, Name = "" }: Operation) {
  const inPause = Name.startsWith(pausePrefix) ? Name.slice(pausePrefix.length) : Name;
  const name = Type === "STEP" ? inPause : Name.replace(/^(pause before|before|after) /, "");
  return name.replace(/ again$| \(again \d+\)$/, "");
}

function isOwnStep({ Type, Name = "" }: Operation) {
  return Type === "STEP" && !Name.startsWith(pausePrefix);
}

interface StepOutcome {
  readonly kind: string;
  readonly cause: string;
  readonly text: string;
}

/** Reads a step's stored outcome (lib/flows/flow-step.ts), or its failure. */
function outcomeOf(operation: Operation | undefined): StepOutcome {
  const { Result = "", Error: error } = operation?.StepDetails ?? {};
  const read = readOutcome(Result);
  const cause = read.cause || (error?.ErrorMessage ?? "");
  return operation?.Status === "FAILED" ? { ...read, kind: "failed", cause } : { ...read, cause };
}

function readOutcome(result: string): StepOutcome {
  const read = parseJson(result);
  return { kind: textAt(read, "kind"), cause: textAt(read, "cause"), text: textAt(read, "text") };
}
