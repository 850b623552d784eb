/**
 * Of objects and lists; the deepest documented body has 9 levels. From some thousands on, JSON.stringify in a
 * handler would overflow the stack.
 */
export const maxNesting = 100;

/** Stops there, so it works at any depth. */
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
