import { isRecord } from "../json.ts";

/** The customer's own objects: a null in them may mean something. */
const opaqueFields = new Set(["metadata", "customData", "variables", "content"]);

/** The deepest documented field stands 11 objects deep; what lies far below is nobody's field. */
const maxDepth = 32;

/** Copies a JSON value without the fields that are null: for the platform, null and absent mean the same. */
export function withoutNulls(value: unknown, depth = 0): unknown {
  if (depth > maxDepth) return value;
  if (Array.isArray(value)) return value.map((item) => withoutNulls(item, depth + 1));
  if (!isRecord(value)) return value;

  const kept: [string, unknown][] = [];
  for (const [name, inner] of Object.entries(value)) {
    if (inner === null) continue;
    kept.push([name, opaqueFields.has(name) ? inner : withoutNulls(inner, depth + 1)]);
  }
  return Object.fromEntries(kept);
}
