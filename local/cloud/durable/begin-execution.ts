import { randomUUID } from "node:crypto";
import type { DurableFunction } from "./durable-types.ts";
import { recordEvent } from "./record-event.ts";
import type { Operation, StoredExecution } from "./stored-execution.ts";

export function beginExecution(
  durable: DurableFunction,
  { name, payload, nowMs }: { name: string; payload: string; nowMs: number },
): StoredExecution {
  const functionArn = `${durable.arn}:${durable.version}`;
  const execution: StoredExecution = {
    arn: `${functionArn}/durable-execution/${name}/${randomUUID()}`,
    name,
    functionName: durable.name,
    functionArn,
    version: durable.version,
    payload,
    startedAtMs: nowMs,
    executionTimeoutMs: durable.executionTimeoutMs,
    retentionMs: durable.retentionMs,
    status: "RUNNING",
    operations: [],
    callbacks: {},
    events: [],
    untold: [],
    invokeAtMs: nowMs,
    failures: 0,
  };
  const operation: Operation = {
    Id: randomUUID(),
    Name: name,
    Type: "EXECUTION",
    Status: "STARTED",
    StartTimestamp: new Date(nowMs),
    ExecutionDetails: { InputPayload: payload },
  };
  execution.operations.push(operation);
  const details = { Input: { Payload: payload }, ExecutionTimeout: durable.executionTimeoutMs / 1000 };
  recordEvent(execution, nowMs, "ExecutionStarted", { operation, details });
  return execution;
}
