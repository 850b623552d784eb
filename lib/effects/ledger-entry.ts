import type { Condition, Item } from "../aws/table.ts";

/**
 * An effect's item on the table. Times are milliseconds since 1970. Owned: `owner` and `deadline`. Perhaps
 * done by an earlier owner: `since`. Done: `result`.
 */
export interface Entry {
  readonly owner: string | undefined;
  readonly deadline: number | undefined;
  readonly since: number | undefined;
  /** JSON */
  readonly result: string | undefined;
}

/** What an entry means for a process that wants to begin now. */
export type Verdict =
  | { readonly state: "done"; readonly result: string }
  /** Owned by the caller: the response to an earlier try of this write was lost. */
  | { readonly state: "mine"; readonly sinceMs: number | undefined }
  | { readonly state: "busy"; readonly untilMs: number }
  /** `sinceMs`: the last time at which an earlier owner may have acted. */
  | { readonly state: "free"; readonly sinceMs: number };

/** Reads an item of the effects table; values of other types count as absent. */
export function readEntry({ owner, deadline, since, result }: Item): Entry {
  return {
    owner: typeof owner === "string" ? owner : undefined,
    deadline: typeof deadline === "number" ? deadline : undefined,
    since: typeof since === "number" ? since : undefined,
    result: typeof result === "string" ? result : undefined,
  };
}

/** Judges an entry for `asker` (pure). */
export function judgeEntry(
  { owner, deadline = 0, since, result }: Entry,
  asker: string,
  nowMs: number,
): Verdict {
  if (result !== undefined) return { state: "done", result };
  if (owner === undefined) return { state: "free", sinceMs: since ?? 0 };
  if (owner === asker) return { state: "mine", sinceMs: since };
  if (nowMs <= deadline) return { state: "busy", untilMs: deadline + 1 };
  return { state: "free", sinceMs: Math.max(deadline, since ?? 0) };
}

/** True if the table has no item with this id. */
export const isAbsent: Condition = { expression: "attribute_not_exists(#id)", names: { "#id": "id" } };

/** True while a free entry is unchanged since it was read: every owner has a new token. */
export function isUntouched({ owner }: Entry): Condition {
  const names = { "#id": "id", "#owner": "owner", "#result": "result" };
  const notDone = "attribute_exists(#id) AND attribute_not_exists(#result)";
  return owner === undefined
    ? { expression: `${notDone} AND attribute_not_exists(#owner)`, names }
    : { expression: `${notDone} AND #owner = :owner`, names, values: { ":owner": owner } };
}
