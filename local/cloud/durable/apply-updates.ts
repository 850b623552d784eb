import { randomBytes } from "node:crypto";
import type { OperationUpdate } from "./durable-inputs.ts";
import { invalidDurableCall } from "./invalid-call.ts";
import { endExecution, recordEnd, recordEvent } from "./record-event.ts";
import type { Operation, StoredExecution } from "./stored-execution.ts";

/** @see https://docs.aws.amazon.com/lambda/latest/api/API_OperationUpdate.html, `Payload` and `Error` */
export const maxPayloadBytes = 1024 * 1024;

/**
 * UNVERIFIED: AWS's error beyond these limits.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */
const maxOperations = 3_000;
const maxWrittenBytes = 100_000_000;

/** Checks only a handler's mistakes; the SDK orders updates. @throws AwsError for the first invalid update */
export function checkUpdates(
  updates: readonly OperationUpdate[],
  operations: ReadonlyMap<string, Operation>,
): void {
  // The end of the execution can always be written.
  const more = updates.filter(({ Type }) => Type !== "EXECUTION");
  const ids = new Set(more.map(({ Id }) => Id).filter((id) => !operations.has(id)));
  if (operations.size + ids.size > maxOperations)
    throw invalidDurableCall(`An execution can have ${maxOperations} operations at most.`);
  let bytes = 0;
  for (const { Payload = "" } of more) bytes += Buffer.byteLength(Payload);
  for (const { StepDetails, ContextDetails } of operations.values())
    bytes += (StepDetails?.Result?.length ?? 0) + (ContextDetails?.Result?.length ?? 0);
  if (more.length > 0 && bytes > maxWrittenBytes)
    throw invalidDurableCall(`An execution can write ${maxWrittenBytes} bytes at most.`);
  for (const { Payload = "" } of more) checkSize("output payload", Payload);
  for (const { Error: error, Type } of updates) {
    if (Type === "CHAINED_INVOKE") throw invalidDurableCall(`${Type} is not part of the local stack.`);
    if (error) checkSize("error object", JSON.stringify(error));
  }
}

export function checkSize(what: string, text: string): void {
  if (Buffer.byteLength(text) <= maxPayloadBytes) return;
  throw invalidDurableCall(`The ${what} must be less than or equal to ${maxPayloadBytes} bytes.`);
}

const words = { STEP: "Step", CONTEXT: "Context", WAIT: "Wait", CALLBACK: "Callback" } as const;

export function applyUpdate(execution: StoredExecution, update: OperationUpdate, nowMs: number): void {
  const { Id, ParentId, Name, SubType, Type, Action, Payload: Result, Error: error } = update;
  if (Type === "EXECUTION") {
    // The execution itself, whatever its id.
    const status = Action === "SUCCEED" ? "SUCCEEDED" : "FAILED";
    endExecution(execution, nowMs, { status, result: Result, error });
    return;
  }
  if (Type === "CHAINED_INVOKE") return;
  const index = execution.operations.findIndex((one) => one.Id === Id);
  const operation: Operation = {
    ...(execution.operations[index] ?? {
      Id,
      ParentId,
      Name,
      SubType,
      Type,
      Status: "STARTED",
      StartTimestamp: new Date(nowMs),
    }),
  };
  if (index < 0) execution.operations.push(operation);
  else execution.operations[index] = operation;
  markUnreported(execution, operation);
  if (Type === "CONTEXT") {
    const { ReplayChildren = operation.ContextDetails?.ReplayChildren } = update.ContextOptions ?? {};
    operation.ContextDetails = { ReplayChildren, Result, Error: error };
  }
  if (Action === "START") {
    operation.Status = "STARTED";
    const details = startOf(execution, operation, update, nowMs);
    recordEvent(execution, nowMs, `${words[Type]}Started`, { operation, details });
    return;
  }
  const isRetried = Action === "RETRY";
  const hasFailed = Action === "FAIL" || (isRetried && error !== undefined);
  if (isRetried) operation.Status = "PENDING";
  else {
    operation.Status = hasFailed ? "FAILED" : "SUCCEEDED";
    operation.EndTimestamp = new Date(nowMs);
  }
  const more = Type === "STEP" ? { RetryDetails: endAttempt(operation, update, nowMs) } : {};
  const end = `${words[Type]}${hasFailed ? "Failed" : "Succeeded"}`;
  recordEnd(execution, nowMs, end, { operation, result: Result, error, more });
}

export function markUnreported(execution: StoredExecution, { Id }: Operation): void {
  if (!execution.untold.includes(Id)) execution.untold.push(Id);
}

function startOf(
  execution: StoredExecution,
  operation: Operation,
  { Type, WaitOptions, CallbackOptions }: OperationUpdate,
  nowMs: number,
): object {
  if (Type === "WAIT") {
    const Duration = WaitOptions?.WaitSeconds ?? 0;
    operation.WaitDetails = { ScheduledEndTimestamp: new Date(nowMs + Duration * 1000) };
    return { Duration, ...operation.WaitDetails };
  }
  if (Type !== "CALLBACK") return {};
  operation.CallbackDetails = { CallbackId: randomBytes(96).toString("base64") };
  // 0 means no limit, like undefined.
  const { TimeoutSeconds: Timeout = 0 } = CallbackOptions ?? {};
  const isLimited = Timeout > 0;
  execution.callbacks[operation.Id] = isLimited ? { timesOutAtMs: nowMs + Timeout * 1000 } : {};
  return { ...operation.CallbackDetails, ...(isLimited && { Timeout }) };
}

function endAttempt(operation: Operation, update: OperationUpdate, nowMs: number): object {
  const { Action, Payload: Result, Error: error, StepOptions } = update;
  const Attempt = (operation.StepDetails?.Attempt ?? 0) + 1;
  operation.StepDetails = { Attempt, Result, Error: error };
  if (Action !== "RETRY") return { CurrentAttempt: Attempt };
  const { NextAttemptDelaySeconds = 0 } = StepOptions ?? {};
  operation.StepDetails.NextAttemptTimestamp = new Date(nowMs + NextAttemptDelaySeconds * 1000);
  return { CurrentAttempt: Attempt, NextAttemptDelaySeconds };
}
