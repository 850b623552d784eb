import type { HistoryQuery, ListQuery } from "./durable-inputs.ts";
import { invalidDurableCall } from "./invalid-call.ts";
import type { HistoryEvent, Operation, StoredExecution } from "./stored-execution.ts";

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
): { Events: HistoryEvent[]; NextMarker: string | undefined } {
  const { items, next } = cutPage(events, { marker: Marker, maxItems: MaxItems });
  return { Events: structuredClone(items), ...next };
}

export function listExecutions(all: readonly StoredExecution[], functionName: string, query: ListQuery) {
  const { DurableExecutionName = "", Qualifier = "$LATEST", ReverseOrder, Statuses = [] } = query;
  const found = all.filter(
    ({ functionName: owner, name, status, version }) =>
      owner === functionName &&
      version === Qualifier &&
      name.includes(DurableExecutionName) &&
      (Statuses.length === 0 || Statuses.includes(status)),
  );
  const oldestFirst = found.toSorted((one, other) => one.startedAtMs - other.startedAtMs);
  const inOrder = ReverseOrder === "true" ? oldestFirst.toReversed() : oldestFirst;
  const { items, next } = cutPage(inOrder.map(summarize), { marker: query.Marker, maxItems: query.MaxItems });
  return { DurableExecutions: items, ...next };
}

/**
 * Lists versions with executions, and the unpublished one.
 * @see https://docs.aws.amazon.com/lambda/latest/api/API_ListVersionsByFunction.html
 */
export function listVersions(
  all: readonly StoredExecution[],
  functionName: string,
  marker: string | undefined,
) {
  const own = all.filter((execution) => execution.functionName === functionName);
  const numbers = [...new Set(own.map(({ version }) => Number(version)))].sort((one, other) => one - other);
  const { items, next } = cutPage(["$LATEST", ...numbers.map(String)], { marker, maxItems: 50 });
  return { Versions: items.map((Version) => ({ FunctionName: functionName, Version })), ...next };
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

export function reviveDates(key: string, value: unknown): unknown {
  return key.endsWith("Timestamp") && typeof value === "string" ? new Date(value) : value;
}

/**
 * Omits operations in closed contexts without `ReplayChildren`.
 * @see https://docs.aws.amazon.com/lambda/latest/api/API_ContextOptions.html
 */
export function listReplayOperations({ operations }: StoredExecution): Operation[] {
  const hidden = new Set<string>();
  const byId = new Map(operations.map((operation) => [operation.Id, operation]));
  return operations.filter(({ Id, ParentId }) => {
    const parent = ParentId === undefined ? undefined : byId.get(ParentId);
    if (!parent) return true;
    const isClosed = parent.EndTimestamp !== undefined && parent.ContextDetails?.ReplayChildren !== true;
    if (!isClosed && !hidden.has(parent.Id)) return true;
    hidden.add(Id);
    return false;
  });
}

/** UNVERIFIED: the page size of Lambda; an invocation's payload is at most 6 MB. */
const maxPageBytes = 5 * 1024 * 1024;

/** @param marker the previous page's @throws AwsError if the marker is invalid */
export function cutPage<Item>(
  all: readonly Item[],
  { marker, maxItems = 0 }: { marker?: string | undefined; maxItems?: number | undefined },
): { readonly items: Item[]; readonly next: { NextMarker: string | undefined } } {
  const start = marker === undefined ? 0 : readMarker(marker);
  const items: Item[] = [];
  let bytes = 0;
  for (const item of all.slice(start, start + (maxItems === 0 ? defaultItems : maxItems))) {
    bytes += Buffer.byteLength(JSON.stringify(item));
    if (items.length > 0 && bytes > maxPageBytes) break;
    items.push(item);
  }
  const end = start + items.length;
  return { items, next: { NextMarker: end < all.length ? writeMarker(end) : undefined } };
}

const defaultItems = 100;

function writeMarker(index: number) {
  return Buffer.from(`from ${index}`).toString("base64url");
}

function readMarker(marker: string) {
  const [, index] =
    Buffer.from(marker, "base64url")
      .toString()
      .match(/^from (\d+)$/) ?? [];
  if (index === undefined) throw invalidDurableCall("Invalid marker.");
  return Number(index);
}
