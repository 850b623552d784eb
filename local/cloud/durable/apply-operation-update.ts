import type { OperationUpdate } from "./durable-inputs.ts";
import { endExecution, recordEnd, recordEvent } from "./record-event.ts";
import type { Operation, StoredExecution } from "./stored-execution.ts";

/**
 * The update must be checked.
 * @param makeCallbackId for a callback that the update opens
 */
export function applyOperationUpdate(
  execution: StoredExecution,
  update: OperationUpdate,
  nowMs: number,
  makeCallbackId: () => string,
): void {
  if (update.Type === "EXECUTION") {
    // Means the execution itself, whatever the update's id is.
    const status = update.Action === "SUCCEED" ? "SUCCEEDED" : "FAILED";
    endExecution(execution, nowMs, { status, result: update.Payload, error: update.Error });
    return;
  }
  if (update.Type === "CHAINED_INVOKE") return;
  const index = execution.operations.findIndex(({ Id }) => Id === update.Id);
  const operation = { ...(execution.operations[index] ?? begin(update, update.Type, nowMs)) };
  if (index < 0) execution.operations.push(operation);
  else execution.operations[index] = operation;
  markUntold(execution, operation);
  switch (update.Type) {
    case "STEP":
      applyStep(execution, operation, update, nowMs);
      return;
    case "CONTEXT":
      applyContext(execution, operation, update, nowMs);
      return;
    case "WAIT":
      applyWait(execution, operation, update, nowMs);
      return;
    case "CALLBACK":
      applyCallback(execution, operation, update, { nowMs, makeCallbackId });
      return;
  }
}

export function markUntold(execution: StoredExecution, { Id }: Operation): void {
  if (!execution.untold.includes(Id)) execution.untold.push(Id);
}

function begin(
  { Id, ParentId, Name, SubType }: OperationUpdate,
  Type: Operation["Type"],
  nowMs: number,
): Operation {
  return {
    ...{ Id, ParentId, Name, SubType, Type },
    Status: "STARTED",
    StartTimestamp: new Date(nowMs),
  };
}

function close(operation: Operation, status: Operation["Status"], nowMs: number): void {
  operation.Status = status;
  operation.EndTimestamp = new Date(nowMs);
}

function outcomeOf({ Payload: Result, Error: error }: OperationUpdate) {
  return { Result, Error: error };
}

function applyStep(
  execution: StoredExecution,
  operation: Operation,
  update: OperationUpdate,
  nowMs: number,
): void {
  if (update.Action === "START") {
    operation.Status = "STARTED";
    recordEvent(execution, nowMs, "StepStarted", { operation });
    return;
  }
  // `Attempt` counts the attempts that have ended.
  const Attempt = (operation.StepDetails?.Attempt ?? 0) + 1;
  const delaySeconds = update.StepOptions?.NextAttemptDelaySeconds ?? 0;
  operation.StepDetails = { Attempt, ...outcomeOf(update) };
  if (update.Action === "RETRY") {
    operation.Status = "PENDING";
    operation.StepDetails.NextAttemptTimestamp = new Date(nowMs + delaySeconds * 1000);
  } else {
    close(operation, update.Action === "SUCCEED" ? "SUCCEEDED" : "FAILED", nowMs);
  }
  const RetryDetails = {
    CurrentAttempt: Attempt,
    ...(update.Action === "RETRY" && { NextAttemptDelaySeconds: delaySeconds }),
  };
  const hasFailed = update.Action === "FAIL" || update.Error !== undefined;
  const end = { operation, result: update.Payload, error: update.Error, more: { RetryDetails } };
  recordEnd(execution, nowMs, hasFailed ? "StepFailed" : "StepSucceeded", end);
}

function applyContext(
  execution: StoredExecution,
  operation: Operation,
  update: OperationUpdate,
  nowMs: number,
): void {
  const { ReplayChildren } = update.ContextOptions ?? {};
  operation.ContextDetails = {
    ...operation.ContextDetails,
    ...(ReplayChildren !== undefined && { ReplayChildren }),
    ...outcomeOf(update),
  };
  if (update.Action === "START") {
    recordEvent(execution, nowMs, "ContextStarted", { operation });
    return;
  }
  const hasFailed = update.Action === "FAIL";
  close(operation, hasFailed ? "FAILED" : "SUCCEEDED", nowMs);
  const end = { operation, result: update.Payload, error: update.Error };
  recordEnd(execution, nowMs, hasFailed ? "ContextFailed" : "ContextSucceeded", end);
}

function applyWait(
  execution: StoredExecution,
  operation: Operation,
  update: OperationUpdate,
  nowMs: number,
): void {
  if (update.Action === "CANCEL") {
    close(operation, "CANCELLED", nowMs);
    recordEvent(execution, nowMs, "WaitCancelled", { operation });
    return;
  }
  const Duration = update.WaitOptions?.WaitSeconds ?? 0;
  const ScheduledEndTimestamp = new Date(nowMs + Duration * 1000);
  operation.WaitDetails = { ScheduledEndTimestamp };
  recordEvent(execution, nowMs, "WaitStarted", { operation, details: { Duration, ScheduledEndTimestamp } });
}

function applyCallback(
  execution: StoredExecution,
  operation: Operation,
  update: OperationUpdate,
  { nowMs, makeCallbackId }: { nowMs: number; makeCallbackId: () => string },
): void {
  if (update.Action === "CANCEL") {
    delete execution.callbacks[operation.Id];
    close(operation, "CANCELLED", nowMs);
    return; // the history has no event for it
  }
  const CallbackId = makeCallbackId();
  // 0 means no limit, like undefined.
  const { TimeoutSeconds = 0 } = update.CallbackOptions ?? {};
  const isLimited = TimeoutSeconds > 0;
  operation.CallbackDetails = { CallbackId };
  execution.callbacks[operation.Id] = isLimited ? { timesOutAtMs: nowMs + TimeoutSeconds * 1000 } : {};
  const details = { CallbackId, ...(isLimited && { Timeout: TimeoutSeconds }) };
  recordEvent(execution, nowMs, "CallbackStarted", { operation, details });
}
