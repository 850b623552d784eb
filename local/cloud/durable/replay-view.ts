import { invalidDurableCall } from "./invalid-call.ts";
import type { Operation, StoredExecution } from "./stored-execution.ts";

/**
 * Every operation, except those in a closed context that did not ask for them.
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

/**
 * @param marker of the page before
 * @throws AwsError if the marker is invalid
 */
export function cutPage<Item>(
  all: readonly Item[],
  {
    marker,
    maxItems = 0,
    pageBytes = maxPageBytes,
  }: { marker?: string | undefined; maxItems?: number | undefined; pageBytes?: number },
): { readonly items: Item[]; readonly next: { NextMarker?: string } } {
  const start = marker === undefined ? 0 : readMarker(marker);
  const items: Item[] = [];
  let bytes = 0;
  for (const item of all.slice(start, start + (maxItems === 0 ? defaultItems : maxItems))) {
    bytes += Buffer.byteLength(JSON.stringify(item));
    if (items.length > 0 && bytes > pageBytes) break;
    items.push(item);
  }
  const end = start + items.length;
  return { items, next: end < all.length ? { NextMarker: writeMarker(end) } : {} };
}

const defaultItems = 100;

function writeMarker(index: number): string {
  return Buffer.from(`from ${index}`).toString("base64url");
}

function readMarker(marker: string): number {
  const [, index] =
    Buffer.from(marker, "base64url")
      .toString()
      .match(/^from (\d+)$/) ?? [];
  if (index === undefined) throw invalidDurableCall("Invalid marker.");
  return Number(index);
}
