import { isWaiting } from "../../cloud/durable/pass-time.ts";
import type { Operation, StoredExecution } from "../../cloud/durable/stored-execution.ts";
import type { FlowStep, FlowWait } from "../api/flows.ts";
import type { Group } from "./group-operations.ts";
import { readOutcome } from "./read-outcome.ts";

interface Judged {
  readonly state?: FlowStep["state"];
  readonly words?: string;
  readonly gave?: string;
  readonly valueId?: string;
}

export function judgeStep({ kind, first, all }: Group): Judged {
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

export function waitOf(
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
      event: { trigger: name.split(", ")[0] ?? name },
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
