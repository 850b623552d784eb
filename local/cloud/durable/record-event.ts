import type { ErrorObject, ExecutionStatus, Operation, StoredExecution } from "./stored-execution.ts";

/** @see https://docs.aws.amazon.com/lambda/latest/api/API_Event.html */
export function recordEvent(
  execution: StoredExecution,
  nowMs: number,
  EventType: string,
  { operation, details = {} }: { operation?: Operation | undefined; details?: object } = {},
): void {
  const { Id, ParentId, Name, SubType } = operation ?? {};
  execution.events.push({
    EventType,
    EventId: execution.events.length + 1,
    EventTimestamp: new Date(nowMs),
    Id,
    ParentId,
    Name,
    SubType,
    [`${EventType}Details`]: details,
  });
}

export function recordEnd(
  execution: StoredExecution,
  nowMs: number,
  EventType: string,
  end: {
    readonly operation?: Operation | undefined;
    readonly result?: string | undefined;
    readonly error?: ErrorObject | undefined;
    readonly more?: object;
  },
): void {
  const outcome = EventType.endsWith("Succeeded")
    ? { Result: { Payload: end.result } }
    : { Error: { Payload: end.error } };
  recordEvent(execution, nowMs, EventType, {
    operation: end.operation,
    details: { ...outcome, ...end.more },
  });
}

export function endExecution(
  execution: StoredExecution,
  nowMs: number,
  ending: {
    status: Exclude<ExecutionStatus, "RUNNING">;
    result?: string | null | undefined;
    error?: ErrorObject | null | undefined;
  },
): void {
  if (execution.status !== "RUNNING") return;
  const { status, result, error } = ending;
  execution.status = status;
  execution.endedAtMs = nowMs;
  if (result !== undefined && result !== null) execution.result = result;
  if (error !== undefined && error !== null) execution.error = error;
  delete execution.invokeAtMs;
  const [root] = execution.operations;
  if (root) {
    root.Status = status;
    root.EndTimestamp = new Date(nowMs);
  }
  recordEnd(execution, nowMs, endingEvents[status], { ...execution, operation: root });
}

const endingEvents = {
  SUCCEEDED: "ExecutionSucceeded",
  FAILED: "ExecutionFailed",
  TIMED_OUT: "ExecutionTimedOut",
  STOPPED: "ExecutionStopped",
} as const;
