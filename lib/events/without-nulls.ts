import { isRecord } from "../base/json.ts";

/** The customer's own objects: a null in them may mean something. */
const opaqueFields = new Set(["metadata", "customData", "variables", "content"]);

/** Maps whose names say something even where nothing stands beside them. */
const mapFields = new Set(["members", "users", "mentions"]);

/** The deepest documented field stands 11 objects deep; what lies far below is nobody's field. */
const maxDepth = 32;

/**
 * Gives a JSON value without the fields that are null: for the platform, null and absent mean the same. What has none
 * is given back as it is, not copied.
 */
export function withoutNulls(value: unknown, depth = 0, substitute?: object): unknown {
  if (depth > maxDepth || typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map((item) => withoutNulls(item, depth + 1));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  if (!isRecord(value)) return value;

  let isChanged = false;
  const kept: [string, unknown][] = [];
  for (const name of Object.keys(value)) {
    const inner = value[name];
    const cleaned = opaqueFields.has(name)
      ? inner
      : withoutNulls(inner, depth + 1, mapFields.has(name) ? {} : undefined);
    const left = cleaned === null ? substitute : cleaned;
    isChanged ||= left !== inner;
    if (left !== undefined) kept.push([name, left]);
  }
  return isChanged ? Object.fromEntries(kept) : value;
}
