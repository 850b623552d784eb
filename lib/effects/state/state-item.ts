import type { Item } from "../../aws/table.ts";

export interface StateItem {
  /** JSON; undefined if absent or expired. */
  readonly value: string | undefined;
  readonly version: string | undefined;
  /** Newest last: a repeated change returns its first result. */
  readonly changes: readonly StateChange[];
}

export interface StateChange {
  readonly by: string;
  readonly atMs: number;
  /** JSON; null for no value. */
  readonly before: string | null;
  readonly after: string | null;
}

/** A repetition comes within a minute. */
const knownMs = 10 * 60_000;
/** Maximum characters of changes; the newest stay. */
const maxCharacters = 60_000;
/** The item outlives its value, so that its changes are still known. */
const leastKeptMs = 60 * 60_000;

/** An expired value counts as absent, even if not deleted yet. */
export function readStateItem(item: Item | undefined, nowMs: number): StateItem {
  const { value, version, until, changes } = item ?? {};
  const isKept = typeof value === "string" && typeof until === "number" && nowMs < until;
  return {
    value: isKept ? value : undefined,
    version: typeof version === "string" ? version : undefined,
    changes: Array.isArray(changes) ? changes.flatMap(readChange) : [],
  };
}

/** `expiration` is the table's TTL, in seconds. */
export function writeStateItem(
  { changes }: StateItem,
  change: StateChange,
  { version, keepForMs }: { readonly version: string; readonly keepForMs: number },
): Item {
  const until = change.atMs + keepForMs;
  return {
    ...(change.after !== null && { value: change.after }),
    until,
    version,
    changes: [...newestOf(changes, change), change].map(({ by, atMs, before, after }) => ({
      by,
      atMs,
      before,
      after,
    })),
    expiration: Math.ceil(Math.max(until, change.atMs + leastKeptMs) / 1000),
  };
}

function newestOf(changes: readonly StateChange[], { atMs }: StateChange): readonly StateChange[] {
  const newest: StateChange[] = [];
  let characters = 0;
  for (const change of changes.toReversed()) {
    characters += 80 + (change.before?.length ?? 0) + (change.after?.length ?? 0);
    if (characters > maxCharacters || atMs - change.atMs > knownMs) break;
    newest.unshift(change);
  }
  return newest;
}

function readChange(item: unknown): StateChange[] {
  if (typeof item !== "object" || item === null) return [];
  const { by, atMs, before = null, after = null }: Partial<Record<string, unknown>> = { ...item };
  const isText = (text: unknown): text is string | null => text === null || typeof text === "string";
  return typeof by === "string" && typeof atMs === "number" && isText(before) && isText(after)
    ? [{ by, atMs, before, after }]
    : [];
}
