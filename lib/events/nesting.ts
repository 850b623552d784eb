/**
 * How many objects and lists may stand inside each other in a delivery. The deepest documented body has 9; beyond some
 * thousands a handler that writes an event down as JSON would die of it.
 */
export const maxNesting = 100;

/** Tells whether more objects and lists stand inside each other than `left`. Bears any depth: it goes no deeper. */
export function isNestedBeyond(value: unknown, left: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (left === 0) return true;
  if (Array.isArray(value)) {
    for (const item of value) if (isNestedBeyond(item, left - 1)) return true;
    return false;
  }
  for (const inner of Object.values(value)) if (isNestedBeyond(inner, left - 1)) return true;
  return false;
}
