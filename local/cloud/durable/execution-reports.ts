import type { HistoryQuery, ListQuery } from "./durable-inputs.ts";
import { cutPage } from "./replay-view.ts";
import type { HistoryEvent, StoredExecution } from "./stored-execution.ts";

/** @see https://docs.aws.amazon.com/lambda/latest/api/API_GetDurableExecution.html */
export function describeExecution(execution: StoredExecution) {
  const { payload, result, error, version, executionTimeoutMs, retentionMs } = execution;
  return {
    ...summarize(execution),
    Version: version,
    InputPayload: payload,
    Result: result,
    Error: error,
    ExecutionDataIncluded: true,
    DurableConfig: {
      ExecutionTimeout: executionTimeoutMs / 1000,
      RetentionPeriodInDays: retentionMs / 86_400_000,
    },
  };
}

/** @see https://docs.aws.amazon.com/lambda/latest/api/API_GetDurableExecutionHistory.html */
export function listEvents(
  { events }: StoredExecution,
  { Marker, MaxItems }: HistoryQuery,
): { Events: HistoryEvent[]; NextMarker?: string } {
  const { items, next } = cutPage(events, { marker: Marker, maxItems: MaxItems });
  return { Events: structuredClone(items), ...next };
}

/** Newest first. */
export function listExecutions(all: readonly StoredExecution[], functionName: string, query: ListQuery) {
  const { DurableExecutionName, Statuses = [], Marker, MaxItems } = query;
  const found = all.filter(
    ({ functionName: owner, name, status }) =>
      owner === functionName &&
      (DurableExecutionName === undefined || DurableExecutionName === name) &&
      (Statuses.length === 0 || Statuses.includes(status)),
  );
  const newestFirst = found.toSorted((one, other) => other.startedAtMs - one.startedAtMs);
  const { items, next } = cutPage(newestFirst.map(summarize), { marker: Marker, maxItems: MaxItems });
  return { DurableExecutions: items, ...next };
}

function summarize({ arn, name, functionArn, status, startedAtMs, endedAtMs }: StoredExecution) {
  return {
    DurableExecutionArn: arn,
    DurableExecutionName: name,
    FunctionArn: functionArn,
    Status: status,
    StartTimestamp: new Date(startedAtMs),
    EndTimestamp: endedAtMs === undefined ? undefined : new Date(endedAtMs),
  };
}

/** Every field whose name ends in `Timestamp`. */
export function reviveDates(key: string, value: unknown): unknown {
  return key.endsWith("Timestamp") && typeof value === "string" ? new Date(value) : value;
}
