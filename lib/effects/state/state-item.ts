import type { Item } from "../../aws/table.ts";

/** What the table has of one value. */
export interface StateItem {
  /** JSON; undefined where nothing is remembered, or no longer. */
  readonly value: string | undefined;
  /** Of the item that is there; undefined where none is. */
  readonly version: string | undefined;
  /** The latest changes, the newest last: whoever repeats one gets what it gave. */
  readonly changes: readonly StateChange[];
}

/** One change that was made. */
export interface StateChange {
  /** Names the effect that made it. */
  readonly by: string;
  readonly atMs: number;
  /** JSON; null for nothing. */
  readonly before: string | null;
  readonly after: string | null;
}

/** How long a change is known by who made it: whoever repeats it looks within a minute. */
const knownMs = 10 * 60_000;
/** So many characters of changes at most; the newest stay. */
const maxCharacters = 60_000;
/** The item outlasts its value, so that a change is known when the value is gone already. */
const leastKeptMs = 60 * 60_000;

/** Reads an item; a value whose time is over counts as gone, whether the table has deleted it or not. */
export function readStateItem(item: Item | undefined, nowMs: number): StateItem {
  const { value, version, until, changes } = item ?? {};
  const isKept = typeof value === "string" && typeof until === "number" && nowMs < until;
  return {
    value: isKept ? value : undefined,
    version: typeof version === "string" ? version : undefined,
    changes: Array.isArray(changes) ? changes.flatMap(readChange) : [],
  };
}

/** Makes the item after a change. `expiration` is what the table deletes by, in seconds. */
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
