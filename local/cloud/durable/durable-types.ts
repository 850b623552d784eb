import type { Outcome } from "../lambda/outcome.ts";
import type { DurableJournal } from "./durable-journal.ts";
import type { DueKind } from "./pass-time.ts";
import type { Operation } from "./stored-execution.ts";

export interface DurableFunction {
  readonly name: string;
  readonly arn: string;
  readonly version: string;
  readonly executionTimeoutMs: number;
  readonly retentionMs: number;
}

export interface WaitingOperation {
  readonly arn: string;
  readonly executionName: string;
  readonly functionName: string;
  /** Undefined for a failed invocation. */
  readonly operation?: Operation | undefined;
  readonly kind: DueKind | "invocation";
  readonly atMs: number;
}

/** Input of an invocation; JSON has dates as ISO 8601. */
export interface DurableInvocationInput {
  readonly DurableExecutionArn: string;
  readonly CheckpointToken: string;
  readonly InitialExecutionState: {
    readonly Operations: Operation[];
    readonly NextMarker?: string | undefined;
  };
  readonly UpdatedOperationIds: string[];
}

export interface DurableStoreOptions {
  /** Clock of all waits, limits and timestamps. */
  now(): number;
  invoke(functionName: string, input: DurableInvocationInput, version: string): Promise<Outcome>;
  readonly journal?: DurableJournal | undefined;
}
