import { markUnreported } from "./apply-updates.ts";
import { endExecution, recordEnd, recordEvent } from "./record-event.ts";
import type { Operation, StoredExecution } from "./stored-execution.ts";

export type DueKind = "wait" | "retry" | "timeout";

interface Due {
  readonly operation: Operation;
  readonly atMs: number;
  readonly kind: DueKind;
}

export function passTime(execution: StoredExecution, nowMs: number): boolean {
  if (execution.status !== "RUNNING") return false;
  const endsAtMs = endOf(execution);
  const due = listDue(execution)
    .filter(({ atMs }) => atMs <= nowMs && atMs <= endsAtMs)
    .toSorted((one, other) => one.atMs - other.atMs);
  for (const one of due) endOperation(execution, one, nowMs);
  if (endsAtMs > nowMs) return due.length > 0;
  endExecution(execution, nowMs, {
    status: "TIMED_OUT",
    error: { ErrorMessage: "The execution timed out.", ErrorType: "DurableExecutionTimeout" },
  });
  return true;
}

/** Returns when something falls due: at the latest, the execution's time limit. */
export function nextChangeAt(execution: StoredExecution): number {
  return Math.min(endOf(execution), ...listDue(execution).map(({ atMs }) => atMs));
}

export function isWaiting({ Type, Status }: Operation): boolean {
  return Status === "PENDING" || (Status === "STARTED" && (Type === "WAIT" || Type === "CALLBACK"));
}

export function listDue({ operations, callbacks }: StoredExecution): Due[] {
  return operations.filter(isWaiting).flatMap((operation): Due[] => {
    const { WaitDetails, StepDetails, Id } = operation;
    const times: [DueKind, number | undefined][] = [
      ["wait", WaitDetails?.ScheduledEndTimestamp?.getTime()],
      ["retry", StepDetails?.NextAttemptTimestamp?.getTime()],
      ["timeout", callbacks[Id]?.timesOutAtMs],
    ];
    return times.flatMap(([kind, atMs]) => (atMs === undefined ? [] : [{ operation, atMs, kind }]));
  });
}

/** @returns false if the operation does not wait for a time */
export function endEarly(execution: StoredExecution, operationId: string, nowMs: number): boolean {
  const due = listDue(execution).find(({ operation }) => operation.Id === operationId);
  if (due) endOperation(execution, due, nowMs);
  return due !== undefined;
}

export function closeCallback(
  execution: StoredExecution,
  operation: Operation,
  nowMs: number,
  result?: string,
): void {
  const isTimeout = result === undefined;
  const error = isTimeout ? { ErrorMessage: "Callback timed out" } : undefined;
  operation.CallbackDetails = { ...operation.CallbackDetails, Result: result, Error: error };
  delete execution.callbacks[operation.Id];
  close(execution, operation, isTimeout ? "TIMED_OUT" : "SUCCEEDED", nowMs);
  const event = isTimeout ? "CallbackTimedOut" : "CallbackSucceeded";
  recordEnd(execution, nowMs, event, { operation, result, error });
}

function endOf({ startedAtMs, executionTimeoutMs }: StoredExecution) {
  return startedAtMs + executionTimeoutMs;
}

function endOperation(execution: StoredExecution, { operation, kind }: Due, nowMs: number) {
  switch (kind) {
    case "wait": {
      const { StartTimestamp: from, WaitDetails: { ScheduledEndTimestamp: to = from } = {} } = operation;
      close(execution, operation, "SUCCEEDED", nowMs);
      const details = { Duration: Math.round((to.getTime() - from.getTime()) / 1000) };
      recordEvent(execution, nowMs, "WaitSucceeded", { operation, details });
      return;
    }
    case "retry":
      operation.Status = "READY";
      delete operation.StepDetails?.NextAttemptTimestamp;
      makeDue(execution, operation, nowMs);
      return;
    case "timeout":
      closeCallback(execution, operation, nowMs);
  }
}

function close(execution: StoredExecution, operation: Operation, status: Operation["Status"], nowMs: number) {
  operation.Status = status;
  operation.EndTimestamp = new Date(nowMs);
  makeDue(execution, operation, nowMs);
}

function makeDue(execution: StoredExecution, operation: Operation, nowMs: number) {
  markUnreported(execution, operation);
  execution.invokeAtMs = Math.min(execution.invokeAtMs ?? nowMs, nowMs);
}
