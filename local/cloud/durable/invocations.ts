import { randomBytes, randomUUID } from "node:crypto";
import { parseJson } from "../../../lib/base/json.ts";
import { type Outcome, writeRuntimeError } from "../lambda/outcome.ts";
import { maxPayloadBytes } from "./apply-updates.ts";
import { invocationOutputSchema } from "./durable-inputs.ts";
import type { DurableInvocationInput, DurableStoreOptions } from "./durable-types.ts";
import type { ExecutionRegister } from "./execution-register.ts";
import { cutPage, listReplayOperations } from "./execution-reports.ts";
import { invalidDurableCall } from "./invalid-call.ts";
import { isWaiting, passTime } from "./pass-time.ts";
import { endExecution, recordEvent } from "./record-event.ts";
import type { Operation, StoredExecution } from "./stored-execution.ts";

export interface Checkpointed {
  CheckpointToken: string;
  NewExecutionState: { Operations: Operation[] };
}

interface Invocation {
  token: string;
  readonly requestId: string;
  readonly startedAtMs: number;
  isOvertaken: boolean;
  readonly answers: Map<string, Checkpointed>;
  done: Promise<void>;
}

const initialOperations = 1000;

export class Invocations {
  areStopped = false;
  readonly #options: DurableStoreOptions;
  readonly #register: ExecutionRegister;
  readonly #catchUp: () => void;
  readonly #running = new Map<string, Invocation>();

  constructor(options: DurableStoreOptions, register: ExecutionRegister, catchUp: () => void) {
    this.#options = options;
    this.#register = register;
    this.#catchUp = catchUp;
  }

  get(arn: string): Invocation | undefined {
    return this.#running.get(arn);
  }

  /** Finds an execution by its latest token. @throws AwsError */
  find(arn: string, token: string): { execution: StoredExecution; invocation: Invocation } {
    this.#catchUp();
    const execution = this.#register.get(arn);
    const invocation = this.#running.get(arn);
    if (execution?.status === "RUNNING" && invocation?.token === token) return { execution, invocation };
    throw invalidDurableCall("Invalid checkpoint token");
  }

  async idle(): Promise<void> {
    while (this.#running.size > 0) {
      await Promise.all([...this.#running.values()].map(({ done }) => done));
    }
  }

  beginDue(): void {
    if (this.areStopped) return;
    this.#catchUp();
    for (const execution of this.#register.list()) {
      const { arn, invokeAtMs = Infinity } = execution;
      if (invokeAtMs <= this.#options.now() && !this.#running.has(arn)) this.#begin(execution);
    }
  }

  #begin(execution: StoredExecution) {
    const invocation: Invocation = {
      token: makeToken(),
      requestId: randomUUID(),
      startedAtMs: this.#options.now(),
      isOvertaken: false,
      answers: new Map(),
      done: Promise.resolve(),
    };
    this.#running.set(execution.arn, invocation);
    const input = {
      DurableExecutionArn: execution.arn,
      CheckpointToken: invocation.token,
      InitialExecutionState: operationsPage(execution, { maxItems: initialOperations }),
      UpdatedOperationIds: execution.untold,
    };
    execution.untold = [];
    invocation.done = this.#run(execution, invocation, input).then(() => this.beginDue());
  }

  async #run(execution: StoredExecution, invocation: Invocation, input: DurableInvocationInput) {
    const { invoke, now } = this.#options;
    const outcome = await Promise.resolve()
      .then(() => invoke(execution.functionName, input, execution.version))
      .catch((error): Outcome => {
        const body = writeRuntimeError(invocation.requestId, "ServiceException", String(error));
        return { kind: "failed", body };
      });
    this.#running.delete(execution.arn);
    if (this.#register.get(execution.arn) !== execution) return;
    if (passTime(execution, now())) invocation.isOvertaken = true;
    finishInvocation(execution, outcome, { ...invocation, nowMs: now() });
    this.#register.put(execution);
  }
}

export function operationsPage(
  execution: StoredExecution,
  page: { marker?: string | undefined; maxItems?: number | undefined },
): { Operations: Operation[]; NextMarker: string | undefined } {
  const { items, next } = cutPage(listReplayOperations(execution), page);
  return { Operations: structuredClone(items), ...next };
}

export function makeToken(): string {
  return randomBytes(48).toString("base64");
}

/**
 * Ends an invocation; a failed one is retried until the execution times out.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/durable-execution-sdk-retries.html
 */
function finishInvocation(
  execution: StoredExecution,
  outcome: Outcome,
  invocation: {
    nowMs: number;
    startedAtMs: number;
    requestId: string;
    isOvertaken: boolean;
  },
) {
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
  // UNVERIFIED: the effect of an answer in another form.
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
      // The function may have missed a change.
      if (isOvertaken) execution.invokeAtMs = nowMs;
      else if (execution.operations.some(isWaiting)) delete execution.invokeAtMs;
      else fail(execution, nowMs, "Cannot return PENDING status with no pending operations.");
  }
}

function fail(execution: StoredExecution, nowMs: number, message: string) {
  endExecution(execution, nowMs, {
    status: "FAILED",
    error: { ErrorType: "InvalidParameterValueException", ErrorMessage: message },
  });
}
