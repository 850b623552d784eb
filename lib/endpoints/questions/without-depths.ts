import { isRecord } from "../../base/json.ts";

/** The deepest documented field is at 11. */
const maxDepth = 64;

/** A sender must not bypass or crash moderation by deeply nested metadata. */
export function withoutDepths(value: unknown): unknown {
  return isDeeperThan(value, maxDepth) ? copyLevels(value, maxDepth) : value;
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  for (const inner of Object.values(value)) if (isDeeperThan(inner, levels - 1)) return true;
  return false;
}

function copyLevels(value: unknown, levels: number): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (levels === 0) return undefined;
  if (Array.isArray(value)) return value.map((item) => copyLevels(item, levels - 1) ?? null);
  if (!isRecord(value)) return undefined;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, copyLevels(inner, levels - 1)]),
  );
}
