import { isWaiting } from "../../cloud/durable/pass-time.ts";
import type { HistoryEvent, StoredExecution } from "../../cloud/durable/stored-execution.ts";
import type { FlowStep, FlowTry, FlowWait } from "../api/flows.ts";
import { textAt } from "../read-value.ts";
import { type Group, isOwnStep, outcomeOf, readOutcome } from "./group-operations.ts";

interface Judged {
  /** Undefined until it ends. */
  readonly state?: FlowStep["state"];
  readonly words?: string;
  readonly gave?: string;
  readonly valueId?: string;
}

export function judgeStep({ kind, first, all }: Group): Judged {
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
    ...{ state: "done", ...(kind === "event" && { words }) },
    ...(!isEmpty && { gave: text, valueId: last.Id }),
  };
}

/** @param events of one step, in order */
export function triesOf(events: readonly HistoryEvent[]): readonly FlowTry[] {
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
  return { words: goodWords.get(kind) ?? "done", isGood: true };
}

const goodWords = new Map([
  ["held", "was paused"],
  ["ended", "ended in shadow"],
]);

export function waitOf({ kind, name, all }: Group, execution: StoredExecution): FlowWait | undefined {
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
