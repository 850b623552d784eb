import type { Condition, Item } from "../aws/table.ts";

/**
 * What the table says of an effect. Times are milliseconds since 1970.
 * In somebody's hands: `owner` and `deadline`. Perhaps done by an earlier owner: `since`. Done: `result`.
 */
export interface Entry {
  readonly owner: string | undefined;
  readonly deadline: number | undefined;
  readonly since: number | undefined;
  /** JSON */
  readonly result: string | undefined;
}

/** What an entry means for somebody who would begin now. */
export type Verdict =
  | { readonly state: "done"; readonly result: string }
  /** In the asker's own hands: the answer to an earlier try of the same write got lost. */
  | { readonly state: "mine"; readonly sinceMs: number | undefined }
  | { readonly state: "busy"; readonly untilMs: number }
  /** `sinceMs`: the last moment at which an earlier owner may have acted. */
  | { readonly state: "free"; readonly sinceMs: number };

/** Reads an item of the effects table; what is not of the kind counts as absent. */
export function readEntry({ owner, deadline, since, result }: Item): Entry {
  return {
    owner: typeof owner === "string" ? owner : undefined,
    deadline: typeof deadline === "number" ? deadline : undefined,
    since: typeof since === "number" ? since : undefined,
    result: typeof result === "string" ? result : undefined,
  };
}

/** Tells what an entry means for `asker` (pure). */
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

/** Holds where the table has no item of that id, of whatever kind. */
export const isAbsent: Condition = { expression: "attribute_not_exists(#id)", names: { "#id": "id" } };

/** Holds as long as nobody has touched a free entry since it was read: every owner's token is new. */
export function isUntouched({ owner }: Entry): Condition {
  const names = { "#id": "id", "#owner": "owner", "#result": "result" };
  const notDone = "attribute_exists(#id) AND attribute_not_exists(#result)";
  return owner === undefined
    ? { expression: `${notDone} AND attribute_not_exists(#owner)`, names }
    : { expression: `${notDone} AND #owner = :owner`, names, values: { ":owner": owner } };
}
