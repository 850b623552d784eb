import { isRecord } from "../base/json.ts";

/** The customer's objects, where null may have a meaning. */
const opaqueFields = new Set(["metadata", "customData", "variables", "content"]);

/** Their names matter even without a value. */
export const mapFields = new Set(["members", "users", "mentions"]);

/** The deepest documented field is at 11. */
const maxDepth = 32;

/** The platform equates null and absent. Returns the same value if it has no nulls. */
export function withoutNulls(value: unknown, depth = 0, substitute?: object): unknown {
  if (depth > maxDepth) return value;
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
