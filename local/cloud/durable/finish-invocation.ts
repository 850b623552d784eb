import { parseJson } from "../../../lib/base/json.ts";
import type { Outcome } from "../lambda/outcome.ts";
import { maxPayloadBytes } from "./apply-updates.ts";
import { invocationOutputSchema } from "./durable-inputs.ts";
import { isWaiting } from "./pass-time.ts";
import { endExecution, recordEvent } from "./record-event.ts";
import type { StoredExecution } from "./stored-execution.ts";

/**
 * One that crashed, timed out or threw is retried until the execution times out.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/durable-execution-sdk-retries.html
 */
export function finishInvocation(
  execution: StoredExecution,
  outcome: Outcome,
  invocation: {
    nowMs: number;
    startedAtMs: number;
    requestId: string;
    isOvertaken: boolean;
  },
): void {
  const { nowMs, startedAtMs, requestId, isOvertaken } = invocation;
  const details = {
    StartTimestamp: new Date(startedAtMs),
    EndTimestamp: new Date(nowMs),
    RequestId: requestId,
    ...(outcome.kind !== "answered" && { Error: { Payload: { ErrorMessage: outcome.body } } }),
  };
  recordEvent(execution, nowMs, "InvocationCompleted", { details });
  if (execution.status !== "RUNNING") return;
  if (outcome.kind !== "answered") {
    execution.failures += 1;
    // UNVERIFIED: the page says "exponential backoff" without times.
    execution.invokeAtMs = nowMs + Math.min(1000 * 2 ** (execution.failures - 1), 900_000);
    return;
  }
  execution.failures = 0;
  const output = invocationOutputSchema.safeParse(parseJson(outcome.body));
  // UNVERIFIED: the effect of an answer that does not have the form of a durable function.
  if (!output.success) {
    fail(execution, nowMs, "The function did not answer as a durable function does.");
    return;
  }
  switch (output.data.Status) {
    case "SUCCEEDED": {
      const result = output.data.Result ?? undefined;
      // https://docs.aws.amazon.com/lambda/latest/api/API_GetDurableExecution.html, `Result`; UNVERIFIED: the error.
      if (Buffer.byteLength(result ?? "") > maxPayloadBytes) {
        const text = `The result is larger than the ${maxPayloadBytes} bytes that an execution may give.`;
        fail(execution, nowMs, text);
        return;
      }
      endExecution(execution, nowMs, { status: "SUCCEEDED", result });
      return;
    }
    case "FAILED":
      endExecution(execution, nowMs, { status: "FAILED", error: output.data.Error });
      return;
    case "PENDING":
      // The function may have missed what changed while it decided to wait.
      if (isOvertaken) execution.invokeAtMs = nowMs;
      else if (execution.operations.some(isWaiting)) delete execution.invokeAtMs;
      else fail(execution, nowMs, "Cannot return PENDING status with no pending operations.");
  }
}

function fail(execution: StoredExecution, nowMs: number, message: string): void {
  endExecution(execution, nowMs, {
    status: "FAILED",
    error: { ErrorType: "InvalidParameterValueException", ErrorMessage: message },
  });
}
