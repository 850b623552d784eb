import type { Outcome } from "../lambda/outcome.ts";
import type { HistoryQuery, ListQuery, StateQuery } from "./durable-inputs.ts";
import type { describeExecution, listEvents, listExecutions } from "./execution-reports.ts";
import type { DueKind } from "./pass-time.ts";
import type { ErrorObject, Operation, StoredExecution } from "./stored-execution.ts";

/** A function that `durableConfig` makes durable, with the version that new executions run on. */
export interface DurableFunction {
  readonly name: string;
  /** Without a version. */
  readonly arn: string;
  readonly version: string;
  readonly executionTimeoutMs: number;
  /** How long an execution that has ended is remembered. */
  readonly retentionMs: number;
}

/** Something of an execution that waits for a time. */
export interface WaitingOperation {
  readonly arn: string;
  readonly executionName: string;
  readonly functionName: string;
  /** Absent for an invocation that failed. */
  readonly operation?: Operation | undefined;
  readonly kind: DueKind | "invocation";
  /** Milliseconds since 1970. */
  readonly atMs: number;
}

/** What a durable function is invoked with; dates become ISO 8601 texts in its JSON. */
export interface DurableInvocationInput {
  readonly DurableExecutionArn: string;
  readonly CheckpointToken: string;
  readonly InitialExecutionState: { readonly Operations: Operation[]; readonly NextMarker?: string };
  readonly UpdatedOperationIds: string[];
}

/** Keeps executions over a restart. */
export interface DurableJournal {
  load(): StoredExecution[];
  put(execution: StoredExecution): void;
  remove(arn: string): void;
  close(): void;
}

export interface DurableStoreOptions {
  /** Milliseconds since 1970: every wait, time limit and time stamp goes by it. */
  now(): number;
  /** Runs the function once. A rejection counts as an invocation that failed. */
  invoke(functionName: string, input: DurableInvocationInput): Promise<Outcome>;
  readonly journal?: DurableJournal | undefined;
  /** How long after so many failures in a row an invocation is tried again. */
  retryDelayMs?(failures: number): number;
  /** Operations that an invocation is handed at once; the rest is paged. Default 1000. */
  readonly initialOperations?: number;
}

/**
 * Lambda's durable executions without a network and without timers: nothing happens by itself but what `runDue` begins.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/durable-functions.html
 */
export interface DurableStore {
  /**
   * Starts an execution, or finds the one of this name. May be repeated.
   * @throws DurableError if one of this name has another payload, also when it has ended and is still remembered
   */
  start(
    durable: DurableFunction,
    execution: { name?: string | undefined; payload: string },
  ): { arn: string; isNew: boolean };
  /** Applies updates, all or none. @throws DurableError if the token is not the latest, or an update cannot be applied */
  checkpoint(
    arn: string,
    input: unknown,
  ): { CheckpointToken: string; NewExecutionState: { Operations: Operation[] } };
  /** Gives a page of what a replay needs. @throws DurableError if the token is not the latest */
  getState(arn: string, query: StateQuery): { Operations: Operation[]; NextMarker?: string };
  /** Closes a callback. @throws DurableError if there is none of this id, or it is closed already */
  completeCallback(callbackId: string, outcome: { result: string } | { error: ErrorObject }): void;
  /** Begins a callback's time for the next heartbeat anew. @throws DurableError as `completeCallback` */
  heartbeat(callbackId: string): void;
  /** Ends an execution; an invocation that runs goes on until its next checkpoint. May be repeated. Gives the time. */
  stop(arn: string, error?: ErrorObject): { StopTimestamp: Date };
  get(arn: string): ReturnType<typeof describeExecution>;
  history(arn: string, query?: HistoryQuery): ReturnType<typeof listEvents>;
  list(functionName: string, query?: ListQuery): ReturnType<typeof listExecutions>;
  /** When something falls due next, in milliseconds since 1970: now or earlier if an invocation may begin at once. */
  nextWakeAt(): number | undefined;
  /** Ends what is over by now, begins every invocation that is due, and resolves when none runs and none is due. */
  runDue(): Promise<void>;
  /** Resolves when no invocation runs and none is due. Begins nothing that waits for `runDue`. */
  idle(): Promise<void>;
  /** Resolves when an execution has ended. */
  ended(arn: string): Promise<ReturnType<typeof describeExecution>>;
  /** Gives every execution as it stands, for looking at alone: nothing is copied. */
  peek(): readonly StoredExecution[];
  /**
   * Ends one wait of an execution as if its time were up: a wait, a step's delay, a callback's limit; without an id the delay
   * after an invocation that failed. Tells whether there was one. @throws DurableError if there is no such execution
   */
  hasten(arn: string, operationId?: string): boolean;
  /** Calls back whenever the answer of `nextWakeAt` may have changed. */
  onChange(listener: () => void): void;
  /** What waits for a time, of every execution that runs, and failed invocations that wait for their next try. */
  waiting(): readonly WaitingOperation[];
  /** Every execution as it is stored. */
  contents(): StoredExecution[];
  /** Has these executions in the place of all others. Nothing may run: `pause` and `idle` before. */
  putBack(executions: readonly StoredExecution[]): void;
  /** Begins no more invocations until `resume`. */
  pause(): void;
  resume(): void;
  /** Forgets every execution; invocations that run are refused their next checkpoint. */
  clear(): void;
  /** Begins no more invocations and resolves when the running ones are over. */
  close(): Promise<void>;
}
