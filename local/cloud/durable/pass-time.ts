import { markUntold } from "./apply-operation-update.ts";
import { endExecution, recordEnd, recordEvent } from "./record-event.ts";
import type { ErrorObject, Operation, StoredExecution } from "./stored-execution.ts";

/** @returns whether anything changed */
export function passTime(execution: StoredExecution, nowMs: number): boolean {
  if (execution.status !== "RUNNING") return false;
  const endsAtMs = execution.startedAtMs + execution.executionTimeoutMs;
  const due = execution.operations
    .flatMap((operation) => dueOf(execution, operation))
    .filter(({ atMs }) => atMs <= nowMs && atMs <= endsAtMs)
    .toSorted((one, other) => one.atMs - other.atMs);
  for (const { operation, kind } of due) endOperation(execution, operation, kind, nowMs);
  if (endsAtMs > nowMs) return due.length > 0;
  endExecution(execution, nowMs, {
    status: "TIMED_OUT",
    error: { ErrorMessage: "The execution timed out.", ErrorType: "DurableExecutionTimeout" },
  });
  return true;
}

/** Milliseconds since 1970; its own time limit at the latest. */
export function nextChangeAt(execution: StoredExecution): number {
  const due = execution.operations.flatMap((operation) => dueOf(execution, operation));
  return Math.min(execution.startedAtMs + execution.executionTimeoutMs, ...due.map(({ atMs }) => atMs));
}

export function isWaiting({ Type, Status }: Operation): boolean {
  return Status === "PENDING" || (Status === "STARTED" && (Type === "WAIT" || Type === "CALLBACK"));
}

export function listDue(execution: StoredExecution): readonly Due[] {
  return execution.operations.flatMap((operation) => dueOf(execution, operation));
}

/** @returns false if the operation waits for no time */
export function endEarly(execution: StoredExecution, operationId: string, nowMs: number): boolean {
  const due = listDue(execution).filter(({ operation }) => operation.Id === operationId);
  const [first] = due.toSorted((one, other) => one.atMs - other.atMs);
  if (execution.status !== "RUNNING" || first === undefined) return false;
  endOperation(execution, first.operation, first.kind, nowMs);
  return true;
}

export type DueKind = "wait" | "retry" | "timeout";

export interface Due {
  readonly operation: Operation;
  readonly atMs: number;
  readonly kind: DueKind;
}

function dueOf(execution: StoredExecution, operation: Operation): Due[] {
  if (!isWaiting(operation)) return [];
  const { WaitDetails, StepDetails } = operation;
  const { timesOutAtMs } = execution.callbacks[operation.Id] ?? {};
  const times: [number | undefined, DueKind][] = [
    [WaitDetails?.ScheduledEndTimestamp?.getTime(), "wait"],
    [StepDetails?.NextAttemptTimestamp?.getTime(), "retry"],
    [timesOutAtMs, "timeout"],
  ];
  return times.flatMap(([atMs, kind]) => (atMs === undefined ? [] : [{ operation, atMs, kind }]));
}

function endOperation(execution: StoredExecution, operation: Operation, kind: DueKind, nowMs: number): void {
  switch (kind) {
    case "wait":
      operation.Status = "SUCCEEDED";
      operation.EndTimestamp = new Date(nowMs);
      recordEvent(execution, nowMs, "WaitSucceeded", {
        operation,
        details: {
          Duration: secondsBetween(operation.StartTimestamp, operation.WaitDetails?.ScheduledEndTimestamp),
        },
      });
      noteChange(execution, operation, nowMs);
      return;
    case "retry":
      operation.Status = "READY";
      delete operation.StepDetails?.NextAttemptTimestamp;
      noteChange(execution, operation, nowMs);
      return;
    case "timeout":
      closeCallback(execution, operation, nowMs, {
        status: "TIMED_OUT",
        error: { ErrorMessage: "Callback timed out" },
      });
      return;
  }
}

const callbackEvents = {
  SUCCEEDED: "CallbackSucceeded",
  FAILED: "CallbackFailed",
  TIMED_OUT: "CallbackTimedOut",
} as const;

/** A closed one keeps its first outcome. */
export function closeCallback(
  execution: StoredExecution,
  operation: Operation,
  nowMs: number,
  outcome: { status: keyof typeof callbackEvents; result?: string; error?: ErrorObject },
): void {
  if (!isWaiting(operation)) return;
  const { status, result, error } = outcome;
  operation.Status = status;
  operation.EndTimestamp = new Date(nowMs);
  operation.CallbackDetails = {
    ...operation.CallbackDetails,
    ...(result !== undefined && { Result: result }),
    ...(error !== undefined && { Error: error }),
  };
  delete execution.callbacks[operation.Id];
  recordEnd(execution, nowMs, callbackEvents[status], { operation, result, error });
  noteChange(execution, operation, nowMs);
}

/** Makes the function due: something changed from outside. */
function noteChange(execution: StoredExecution, operation: Operation, nowMs: number): void {
  markUntold(execution, operation);
  execution.invokeAtMs = Math.min(execution.invokeAtMs ?? nowMs, nowMs);
}

function secondsBetween(from: Date, to: Date | undefined): number {
  return Math.round(((to ?? from).getTime() - from.getTime()) / 1000);
}
