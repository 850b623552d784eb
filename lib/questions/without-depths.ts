import { isRecord } from "../json.ts";

/** The deepest documented field stands 11 objects deep. */
const maxDepth = 64;

/**
 * Copies a JSON value without what lies more than 64 levels deep. Whoever writes a message chooses its metadata, and must
 * neither escape judgement nor break whoever judges by nesting it.
 */
export function withoutDepths(value: unknown, depth = 0): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (depth >= maxDepth) return undefined;
  if (Array.isArray(value)) return value.map((item) => withoutDepths(item, depth + 1) ?? null);
  if (!isRecord(value)) return undefined;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, withoutDepths(inner, depth + 1)]),
  );
}
