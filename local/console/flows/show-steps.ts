import { isRecord, parseJson } from "../../../lib/base/json.ts";
import { isWaiting } from "../../cloud/durable/pass-time.ts";
import type { HistoryEvent, Operation, StoredExecution } from "../../cloud/durable/stored-execution.ts";
import type { FlowStep, FlowTry, FlowWait } from "../api/flows.ts";
import { shownValue } from "./flow-values.ts";

export interface ShownSteps {
  readonly steps: readonly FlowStep[];
  readonly waits: readonly FlowWait[];
}

/**
 * Groups an execution's operations into steps: the attempts of a step and the delays between them, the three
 * operations of a wait for an event, parallel branches.
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

  /** @param isOver the parent has ended, so its open steps will not continue */
  const showAll = (parent: string, isOver: boolean): FlowStep[] => {
    const groups = group(children.get(parent) ?? []);
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

/** Operations that are one step of the flow. */
interface Group {
  readonly kind: FlowStep["kind"];
  readonly name: string;
  readonly first: Operation;
  /** In the order in which they began. */
  readonly all: Operation[];
  /** The operation name of a step's next attempt. */
  nextTry?: string | undefined;
}

function group(operations: readonly Operation[]): Group[] {
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

interface Outcome {
  readonly kind: string | undefined;
  readonly waits: number;
  readonly cause: string | undefined;
  readonly text: string | undefined;
}

/** Reads the outcome that a step stored (lib/flows/flow-step.ts). */
function readOutcome(result: string | undefined): Outcome {
  const read = parseJson(result ?? "");
  const { kind, waits, cause, text } = isRecord(read) ? read : {};
  const textOf = (value: unknown) => (typeof value === "string" ? value : undefined);
  return {
    kind: textOf(kind),
    waits: typeof waits === "number" ? waits : 0,
    cause: textOf(cause),
    text: textOf(text),
  };
}

function isDone({ StepDetails, Status }: Operation): boolean {
  return Status === "FAILED" || readOutcome(StepDetails?.Result).kind === "done";
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
  const ended = judge(one);
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
    // A step that succeeded at the first attempt shows no attempts.
    tries: (kind === "step" && tries.length > 1) || tries.some(({ isGood }) => !isGood) ? tries : [],
    ...(ended.gave !== undefined && { gave: shownValue(ended.gave, ended.valueId ?? last.Id) }),
    inner,
  };
  return { step, wait };
}

interface Judged {
  readonly state?: FlowStep["state"];
  readonly words?: string;
  readonly gave?: string;
  /** The operation that has it. */
  readonly valueId?: string;
}

function judge({ kind, first, all }: Group): Judged {
  const last = all.findLast(({ Type }) => Type === "STEP") ?? first;
  switch (kind) {
    case "step": {
      const { kind: outcome, cause, text } = readOutcome(last.StepDetails?.Result);
      if (last.Status === "FAILED")
        return { state: "failed", words: last.StepDetails?.Error?.ErrorMessage ?? "It failed." };
      if (outcome === "failed") return { state: "failed", words: cause ?? "It failed." };
      if (outcome === "ended") return { state: "stopped", words: "In shadow, this step has no result." };
      if (outcome === "done") {
        return {
          state: "done",
          ...(text !== undefined && text !== "null" && { gave: text, valueId: last.Id }),
        };
      }
      return {};
    }
    case "wait":
      if (first.Status === "SUCCEEDED") return { state: "done" };
      return first.Status === "STARTED" ? {} : { state: "stopped" };
    case "event": {
      if (last.Type !== "STEP" || !last.Name?.startsWith("outcome of ")) return {};
      const { kind: outcome, cause, text } = readOutcome(last.StepDetails?.Result);
      if (last.Status === "FAILED" || outcome === "failed")
        return { state: "failed", words: cause ?? "It failed." };
      if (outcome !== "done") return {};
      if (text === undefined || text === "null")
        return { state: "done", words: "timed out without an event" };
      return { state: "done", words: "received the event", gave: text, valueId: last.Id };
    }
    case "cancel":
      if (first.Status === "SUCCEEDED") return { state: "done", words: "cancellation was requested" };
      return first.Status === "STARTED" ? {} : { state: "stopped" };
    default:
      if (first.Status === "SUCCEEDED") return { state: "done" };
      if (first.Status === "FAILED") {
        return { state: "failed", words: first.ContextDetails?.Error?.ErrorMessage ?? "It failed." };
      }
      return first.Status === "STARTED" ? {} : { state: "stopped" };
  }
}

function waitOf(
  { kind, name, all }: Group,
  execution: StoredExecution,
): Omit<FlowWait, "stepId"> | undefined {
  const waiting = all.findLast(isWaiting);
  if (waiting === undefined) return undefined;
  const { Id: operationId, Type, Name = "", WaitDetails, StepDetails } = waiting;
  if (kind === "cancel") return undefined;
  if (Type === "CALLBACK") {
    const untilMs = execution.callbacks[operationId]?.timesOutAtMs;
    const until = { operationId, ...(untilMs !== undefined && { untilMs }) };
    if (Name.startsWith("pause before ")) {
      return { ...until, words: `“${name}” waits until its pause ends`, fire: "try now" };
    }
    return {
      ...until,
      words: `waits for ${name}`,
      fire: "let its time pass",
      event: { trigger: name },
    };
  }
  const atMs = (
    Type === "WAIT" ? WaitDetails?.ScheduledEndTimestamp : StepDetails?.NextAttemptTimestamp
  )?.getTime();
  const until = { operationId, ...(atMs !== undefined && { untilMs: atMs }) };
  if (kind === "wait") return { ...until, words: "waits", fire: "let its time pass" };
  const cause = causeOf(all);
  return {
    ...until,
    words: `“${name}” will be retried${cause === undefined ? "" : `: ${cause}`}`,
    fire: "try now",
  };
}

function causeOf(all: readonly Operation[]): string | undefined {
  const last = all.findLast(({ Type }) => Type === "STEP");
  return readOutcome(last?.StepDetails?.Result).cause ?? last?.StepDetails?.Error?.ErrorMessage;
}

function collectTries(events: readonly HistoryEvent[]): ReadonlyMap<string, readonly FlowTry[]> {
  const tries = new Map<string, FlowTry[]>();
  for (const { EventType, EventTimestamp, Id, ...details } of events) {
    if (Id === undefined || !EventType.startsWith("Step")) continue;
    const own = tries.get(Id) ?? [];
    tries.set(Id, own);
    const atMs = EventTimestamp.getTime();
    if (EventType === "StepStarted") {
      own.push({ startedAtMs: atMs, words: "began", isGood: true });
      continue;
    }
    const begun = own.at(-1);
    const startedAtMs = begun !== undefined && begun.endedAtMs === undefined ? begun.startedAtMs : atMs;
    if (begun !== undefined && begun.endedAtMs === undefined) own.pop();
    own.push({ startedAtMs, endedAtMs: atMs, ...judgeTry(EventType, details[`${EventType}Details`]) });
  }
  return tries;
}

function judgeTry(type: string, details: unknown): Pick<FlowTry, "words" | "isGood"> {
  const payloadOf = (name: string) => {
    const part = isRecord(details) ? details[name] : undefined;
    return isRecord(part) ? part.Payload : undefined;
  };
  if (type === "StepFailed") {
    const error = payloadOf("Error");
    const { ErrorType, ErrorMessage } = isRecord(error) ? error : {};
    // The SDK reports a step whose process ended.
    if (ErrorType === "StepInterruptedError") return { words: "the process ended during it", isGood: false };
    return { words: String(ErrorMessage ?? "it failed"), isGood: false };
  }
  const payload = payloadOf("Result");
  const { kind, cause } = readOutcome(typeof payload === "string" ? payload : undefined);
  switch (kind) {
    case "again":
    case "failed":
      return { words: cause ?? "it failed", isGood: false };
    case "held":
      return { words: "was paused", isGood: true };
    case "ended":
      return { words: "ended in shadow", isGood: true };
    default:
      return { words: "done", isGood: true };
  }
}
