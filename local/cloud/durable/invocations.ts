import { randomBytes, randomUUID } from "node:crypto";
import { type Outcome, writeRuntimeError } from "../lambda/outcome.ts";
import type { DurableInvocationInput, DurableStoreOptions } from "./durable-types.ts";
import type { ExecutionRegister } from "./execution-register.ts";
import { cutPage, listReplayOperations } from "./execution-reports.ts";
import { finishInvocation } from "./finish-invocation.ts";
import { invalidDurableCall } from "./invalid-call.ts";
import { passTime } from "./pass-time.ts";
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
  /** Repeatable, by a digest of the request. */
  readonly answers: Map<string, Checkpointed>;
  done: Promise<void>;
}

/** An invocation gets them at once; the rest is paged. */
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

  /** By its latest token. @throws AwsError if it does not exist */
  find(arn: string, token: string): { execution: StoredExecution; invocation: Invocation } {
    this.#catchUp();
    const execution = this.#register.get(arn);
    const invocation = this.#running.get(arn);
    if (execution?.status === "RUNNING" && invocation?.token === token) return { execution, invocation };
    // The SDK recognizes the beginning; other errors end the execution.
    throw invalidDurableCall("Invalid Checkpoint Token");
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

  #begin(execution: StoredExecution): void {
    const invocation: Invocation = {
      ...{ token: makeToken(), requestId: randomUUID(), startedAtMs: this.#options.now() },
      ...{ isOvertaken: false, answers: new Map(), done: Promise.resolve() },
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

  async #run(
    execution: StoredExecution,
    invocation: Invocation,
    input: DurableInvocationInput,
  ): Promise<void> {
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
): { Operations: Operation[]; NextMarker?: string } {
  const { items, next } = cutPage(listReplayOperations(execution), page);
  return { Operations: structuredClone(items), ...next };
}

export function makeToken(): string {
  return randomBytes(48).toString("base64");
}
