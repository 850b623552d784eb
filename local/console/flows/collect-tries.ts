import { isRecord } from "../../../lib/base/json.ts";
import type { HistoryEvent } from "../../cloud/durable/stored-execution.ts";
import type { FlowTry } from "../api/flows.ts";
import { readOutcome } from "./read-outcome.ts";

export function collectTries(events: readonly HistoryEvent[]): ReadonlyMap<string, readonly FlowTry[]> {
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
