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
  { IncludeExecutionData = true, ReverseOrder = false, Marker, MaxItems }: HistoryQuery,
): { Events: HistoryEvent[]; NextMarker?: string } {
  const inOrder = ReverseOrder ? events.toReversed() : events;
  const { items, next } = cutPage(inOrder, { marker: Marker, maxItems: MaxItems });
  const Events = structuredClone(items);
  return { Events: IncludeExecutionData ? Events : Events.map(leaveOutData), ...next };
}

/** Lists a function's executions, the newest first. */
export function listExecutions(all: readonly StoredExecution[], functionName: string, query: ListQuery) {
  const { Qualifier, DurableExecutionName, Statuses = [], StartedAfter, StartedBefore } = query;
  const found = all.filter(
    ({ functionName: owner, version, name, status, startedAtMs }) =>
      owner === functionName &&
      (Qualifier === undefined || Qualifier === version) &&
      (DurableExecutionName === undefined || DurableExecutionName === name) &&
      (Statuses.length === 0 || Statuses.includes(status)) &&
      (StartedAfter === undefined || startedAtMs > StartedAfter.getTime()) &&
      (StartedBefore === undefined || startedAtMs < StartedBefore.getTime()),
  );
  const oldestFirst = found.toSorted((one, other) => one.startedAtMs - other.startedAtMs);
  const inOrder = query.ReverseOrder === true ? oldestFirst : oldestFirst.toReversed();
  const { items, next } = cutPage(inOrder.map(summarize), {
    marker: query.Marker,
    maxItems: query.MaxItems,
  });
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

/** Removes an event's payloads, which are all named `Payload`. */
function leaveOutData(event: HistoryEvent): HistoryEvent {
  const details = `${event.EventType}Details`;
  const kept = JSON.stringify(event[details], (key, value) => (key === "Payload" ? undefined : value));
  return { ...event, [details]: JSON.parse(kept, reviveDates) };
}

/** Revives the dates of JSON: every field whose name ends in `Timestamp`. */
export function reviveDates(key: string, value: unknown): unknown {
  return key.endsWith("Timestamp") && typeof value === "string" ? new Date(value) : value;
}
